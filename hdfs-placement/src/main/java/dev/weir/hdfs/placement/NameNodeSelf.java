package dev.weir.hdfs.placement;

import dev.weir.hints.HintSettings;
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

  private NameNodeSelf() {}

  /**
   * Settings for the NameNode's nameservice. It has its own address as the default file system, not
   * the nameservice that rules name.
   */
  static HintSettings settings(HintSettings settings, Configuration configuration) {
    String nameservice = configuration.getTrimmed(NAMESERVICE, "");
    return nameservice.isEmpty() ? settings : settings.forFileSystem(nameservice);
  }

  /** The host that others have in their configuration; may take a while, empty when not known. */
  static String host(Configuration configuration) {
    String address = configuration.getTrimmed(RPC_ADDRESS, "");
    if (address.isEmpty()) {
      String host = FileSystem.getDefaultUri(configuration).getHost();
      return host == null ? "" : host;
    }
    return NetUtils.createSocketAddr(address).getHostString();
  }
}
