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
 * Who a NameNode is, by its own configuration, in which it has put its own addresses and the id of
 * its nameservice in place of the general ones. A policy that comes with {@code dfsadmin -reconfig}
 * gets the configuration of the files instead, and finds them there as the NameNode did.
 */
final class NameNodeIdentity {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeIdentity.class);

  private static final String RPC_ADDRESS = "dfs.namenode.rpc-address";
  private static final String NAMESERVICE = "dfs.nameservice.id";
  private static final String NAMENODE_ID = "dfs.ha.namenode.id";

  private NameNodeIdentity() {}

  /**
   * Settings for the NameNode's nameservice. It has its own address as the default file system, not
   * the nameservice that rules name. May take a while.
   */
  static HintSettings settings(HintSettings settings, Configuration configuration) {
    String nameservice = own(configuration).getTrimmed(NAMESERVICE, "");
    return nameservice.isEmpty() ? settings : settings.forFileSystem(nameservice);
  }

  /**
   * The host that others have in their configuration; may take a while, empty when not known. One
   * of several NameNodes adds its port ({@code host:port}): they may share a host.
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

  /** Which NameNode of the files this one is shows in the addresses of its host. */
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
      LOG.warn("Which NameNode of the configuration this is cannot be told", e);
      return configuration;
    }
  }
}
