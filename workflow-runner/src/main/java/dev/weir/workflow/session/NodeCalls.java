package dev.weir.workflow.session;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How the ApplicationMaster calls NodeManagers. */
final class NodeCalls {

  /** Each has two threads. */
  private static final int KEPT = 4;

  private static final int IDLE_MILLIS = 200;

  private NodeCalls() {}

  /**
   * Connections that are kept for a moment. YARN's client keeps none by default and sets the time
   * that they may be idle to 0, with which the sending thread of Hadoop's RPC does not wait for
   * that time but asks again and again whether there is something to send: it takes a processor
   * until the NodeManager has answered, for each of those that are starting a container.
   *
   * @param conf is not changed; what it says of kept connections holds
   * @return settings for the client
   */
  static YarnConfiguration settings(Configuration conf) {
    YarnConfiguration settings = new YarnConfiguration(conf);
    if (conf.getInt(YarnConfiguration.NM_CLIENT_MAX_NM_PROXIES, 0) <= 0) {
      settings.setInt(YarnConfiguration.NM_CLIENT_MAX_NM_PROXIES, KEPT);
      settings.setInt(
          CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY, IDLE_MILLIS);
    }
    return settings;
  }
}
