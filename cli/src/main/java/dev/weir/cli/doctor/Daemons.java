package dev.weir.cli.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Where the daemons of a cluster have their pages. */
final class Daemons {
  private Daemons() {}

  /** Those of all NameNodes of the default file system. */
  static List<URI> nameNodes(Configuration configuration) throws IOException {
    String scheme = scheme(configuration);
    String authority = FileSystem.getDefaultUri(configuration).getHost();
    Map<String, InetSocketAddress> pair =
        DFSUtilClient.getHaNnRpcAddresses(configuration).get(authority);
    if (pair == null || pair.isEmpty()) {
      return List.of(DFSUtil.getInfoServerWithDefaultHost(authority, configuration, scheme));
    }
    List<URI> all = new ArrayList<>();
    for (InetSocketAddress address : pair.values()) {
      all.add(DFSUtil.getInfoServer(address, configuration, scheme));
    }
    return all;
  }

  /** That of the ResourceManager, or of each of several. */
  static List<URI> resourceManagers(Configuration configuration) {
    if (!HAUtil.isHAEnabled(configuration)) {
      return List.of(URI.create(WebAppUtils.getRMWebAppURLWithScheme(configuration)));
    }
    List<URI> all = new ArrayList<>();
    for (String id : HAUtil.getRMHAIds(configuration)) {
      // On a ResourceManager's own host the settings name that one, and then no other is told of.
      Configuration its = new Configuration(configuration);
      its.set(YarnConfiguration.RM_HA_ID, id);
      all.add(URI.create(WebAppUtils.getRMWebAppURLWithScheme(its, 0)));
    }
    return all;
  }

  /** How HDFS's pages are asked for. */
  static String scheme(Configuration configuration) {
    return DFSUtil.getHttpClientScheme(configuration);
  }
}
