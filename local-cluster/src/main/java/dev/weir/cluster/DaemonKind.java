package dev.weir.cluster;

/** What a daemon is: the program, its size, and the port that it answers HTTP on. */
enum DaemonKind {
  NAMENODE("dev.weir.cluster.daemon.NameNodeMain", 256, SiteProperties.NAMENODE_HTTP),
  RESOURCEMANAGER(
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
      256,
      SiteProperties.RESOURCEMANAGER_HTTP),
  ZOOKEEPER("org.apache.zookeeper.server.quorum.QuorumPeerMain", 64, 0),
  /** Weir's hints service; named, for this module must not need its classes. */
  HINTS("dev.weir.service.ServerMain", 256, SiteProperties.HINTS_HTTP),
  /** A DataNode and a NodeManager. */
  NODE("dev.weir.cluster.daemon.NodeMain", 192, SiteProperties.DATANODE_HTTP),
  /** Half of a node that is split. */
  DATANODE("org.apache.hadoop.hdfs.server.datanode.DataNode", 128, SiteProperties.DATANODE_HTTP),
  /** The other half. */
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

  /** Where its JMX is read; 0 for none. */
  int httpPort() {
    return httpPort;
  }
}
