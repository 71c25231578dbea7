package dev.weir.workflow.session;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** How the ApplicationMaster calls NodeManagers. */
final class NodeManagerSettings {

  /** Each connection has two threads. */
  private static final int KEPT = 4;

  private static final int IDLE_MILLIS = 200;

  private NodeManagerSettings() {}

  /**
   * Returns settings that keep idle connections for a moment. By default YARN's client keeps none
   * and sets their maximum idle time to 0. With 0 the sending thread of Hadoop's RPC polls without
   * waiting: each container start keeps a processor busy until the NodeManager answers.
   *
   * @param conf the cluster's configuration, not changed; its limit on kept connections takes
   *     precedence
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
