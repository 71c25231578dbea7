package dev.weir.cli.doctor;

import dev.weir.service.auto.NameNodeCounts;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Finds the addresses of the daemons' web servers. */
final class Daemons {
  private Daemons() {}

  /** Returns the addresses of all NameNodes of the default file system. */
  static List<URI> nameNodes(Configuration configuration) {
    return NameNodeCounts.addresses(configuration);
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
