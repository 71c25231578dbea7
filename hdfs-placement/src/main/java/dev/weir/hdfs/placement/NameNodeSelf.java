package dev.weir.hdfs.placement;

import dev.weir.hints.HintSettings;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.net.NetUtils;

/**
 * Who a NameNode is, by its own configuration, in which it has put its own addresses and the id of
 * its nameservice in place of the general ones.
 */
final class NameNodeSelf {
  private static final String RPC_ADDRESS = "dfs.namenode.rpc-address";
  private static final String NAMESERVICE = "dfs.nameservice.id";
  private static final String NAMENODE_ID = "dfs.ha.namenode.id";

  private NameNodeSelf() {}

  /**
   * Settings for the NameNode's nameservice. It has its own address as the default file system, not
   * the nameservice that rules name.
   */
  static HintSettings settings(HintSettings settings, Configuration configuration) {
    String nameservice = configuration.getTrimmed(NAMESERVICE, "");
    return nameservice.isEmpty() ? settings : settings.forFileSystem(nameservice);
  }

  /**
   * The host that others have in their configuration; may take a while, empty when not known. One
   * of several NameNodes adds its port ({@code host:port}): they may share a host.
   */
  static String host(Configuration configuration) {
    String address = configuration.getTrimmed(RPC_ADDRESS, "");
    if (address.isEmpty()) {
      String host = FileSystem.getDefaultUri(configuration).getHost();
      return host == null ? "" : host;
    }
    InetSocketAddress self = NetUtils.createSocketAddr(address);
    boolean oneOfSeveral = !configuration.getTrimmed(NAMENODE_ID, "").isEmpty();
    return oneOfSeveral ? self.getHostString() + ":" + self.getPort() : self.getHostString();
  }
}
