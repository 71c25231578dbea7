package dev.weir.hdfs.placement;

import dev.weir.hints.HintSettings;
import java.net.InetSocketAddress;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which NameNode this process is. A NameNode copies its own addresses and nameservice to
 * the general keys of its configuration. A policy loaded by {@code dfsadmin -reconfig} gets the
 * unmodified configuration, so this class derives them as the NameNode did.
 */
final class NameNodeIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeIdentity.class);

  private static final String RPC_ADDRESS = "dfs.namenode.rpc-address";
  private static final String NAMESERVICE = "dfs.nameservice.id";
  private static final String NAMENODE_ID = "dfs.ha.namenode.id";

  private NameNodeIdentity() {}

  /**
   * Settings for the NameNode's nameservice. The NameNode's default file system is its own address,
   * but rules name the nameservice. May block.
   */
  static HintSettings settings(HintSettings settings, Configuration configuration) {
    String nameservice = own(configuration).getTrimmed(NAMESERVICE, "");
    return nameservice.isEmpty() ? settings : settings.forFileSystem(nameservice);
  }

  /**
   * The NameNode's host as others configure it; empty if unknown. May block. If there are several
   * NameNodes, the port is added ({@code host:port}), because they may share a host.
   */
  static String host(Configuration configuration) {
    Configuration own = own(configuration);
    String address = own.getTrimmed(RPC_ADDRESS, "");
    if (address.isEmpty()) {
      String host = FileSystem.getDefaultUri(own).getHost();
      return host == null ? "" : host;
    }
    InetSocketAddress self = NetUtils.createSocketAddr(address);
    boolean oneOfSeveral = !own.getTrimmed(NAMENODE_ID, "").isEmpty();
    return oneOfSeveral ? self.getHostString() + ":" + self.getPort() : self.getHostString();
  }

  /**
   * The configuration with the keys of this NameNode, which is recognised by the addresses of its
   * host.
   */
  private static Configuration own(Configuration configuration) {
    if (!configuration.getTrimmed(RPC_ADDRESS, "").isEmpty()) {
      return configuration;
    }
    try {
      Configuration own = new Configuration(configuration);
      String nameservice = DFSUtil.getNamenodeNameServiceId(own);
      NameNode.initializeGenericKeys(own, nameservice, HAUtil.getNameNodeId(own, nameservice));
      return own;
    } catch (HadoopIllegalArgumentException e) {
      LOG.warn("Cannot tell which NameNode of the configuration this is", e);
      return configuration;
    }
  }
}
