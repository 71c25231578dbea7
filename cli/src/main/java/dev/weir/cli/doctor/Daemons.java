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

/** Finds the addresses of the daemons' web servers. */
final class Daemons {
  private Daemons() {}

  /** Returns the addresses of all NameNodes of the default file system. */
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

  /** Returns the addresses of all ResourceManagers. */
  static List<URI> resourceManagers(Configuration configuration) {
    if (!HAUtil.isHAEnabled(configuration)) {
      return List.of(URI.create(WebAppUtils.getRMWebAppURLWithScheme(configuration)));
    }
    List<URI> all = new ArrayList<>();
    for (String id : HAUtil.getRMHAIds(configuration)) {
      // On a ResourceManager's host its id is set, and Hadoop would resolve that ResourceManager
      // only.
      Configuration its = new Configuration(configuration);
      its.set(YarnConfiguration.RM_HA_ID, id);
      all.add(URI.create(WebAppUtils.getRMWebAppURLWithScheme(its, 0)));
    }
    return all;
  }

  /** Returns the URL scheme of HDFS's web servers. */
  static String scheme(Configuration configuration) {
    return DFSUtil.getHttpClientScheme(configuration);
  }
}
