package dev.weir.cluster.process;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.config.SiteProperties;

/** The program of a daemon, its heap size and its HTTP port. */
public enum DaemonKind {
  /** The key distribution centre of a secure cluster. */
  KDC("dev.weir.cluster.daemon.KdcMain", 64, 0),
  /** The key management server of a secure cluster, in {@code hadoop-kms}. */
  KMS("org.apache.hadoop.crypto.key.kms.server.KMSWebServer", 96, KerberosConfig.KMS_HTTPS),
  NAMENODE("dev.weir.cluster.daemon.NameNodeMain", 256, SiteProperties.NAMENODE_HTTP),
  RESOURCEMANAGER(
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
      256,
      SiteProperties.RESOURCEMANAGER_HTTP),
  ZOOKEEPER("org.apache.zookeeper.server.quorum.QuorumPeerMain", 64, 0),
  /**
   * Weir's hints service. It is named by a string, because this module must not depend on its
   * classes.
   */
  HINTS("dev.weir.service.ServerMain", 256, SiteProperties.HINTS_HTTP),
  /** A DataNode and a NodeManager. */
  NODE("dev.weir.cluster.daemon.NodeMain", 192, SiteProperties.DATANODE_HTTP),
  /** The DataNode of a split node. */
  DATANODE("org.apache.hadoop.hdfs.server.datanode.DataNode", 128, SiteProperties.DATANODE_HTTP),
  /** The NodeManager of a split node. */
  NODEMANAGER(
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager",
      128,
      SiteProperties.NODEMANAGER_HTTP);

  private final String mainClass;
  private final int heapMegabytes;
  private final int httpPort;

  DaemonKind(String mainClass, int heapMegabytes, int httpPort) {
    this.mainClass = mainClass;
    this.heapMegabytes = heapMegabytes;
    this.httpPort = httpPort;
  }

  String mainClass() {
    return mainClass;
  }

  int heapMegabytes() {
    return heapMegabytes;
  }

  /** The port that serves JMX; 0 for none. */
  public int httpPort() {
    return httpPort;
  }
}
