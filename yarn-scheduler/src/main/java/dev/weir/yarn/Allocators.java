package dev.weir.yarn;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which placement allocator an application gets, by Hadoop's rules. */
final class Allocators {

  /** For all applications. */
  static final String CLUSTER_KEY = "yarn.scheduler.app-placement-allocator.class";

  /** For one application, among its scheduling properties. */
  static final String APPLICATION_KEY = "APPLICATION_PLACEMENT_TYPE_CLASS";

  private static final Logger LOG = LoggerFactory.getLogger(Allocators.class);

  private Allocators() {}

  /** Whether an application's asks are kept by ours. Takes no lock. */
  static boolean isOurs(@Nullable RMApp app, Configuration conf) {
    Map<String, String> properties = app == null ? null : app.getApplicationSchedulingEnvs();
    String own = properties == null ? null : properties.get(APPLICATION_KEY);
    return isOurs(own != null ? own : conf.get(CLUSTER_KEY));
  }

  private static boolean isOurs(@Nullable String name) {
    return WeirPlacementAllocator.class.getName().equals(name);
  }

  /**
   * Whether all applications get ours that do not choose another. Hadoop takes its own without a
   * word where a class does not load, so this says it.
   */
  static boolean loaded(Configuration conf) {
    String name = conf.get(CLUSTER_KEY, "");
    if (isOurs(name)) {
      return true;
    }
    if (!name.isEmpty()) {
      LOG.warn(
          "{} is {}, which is not {}: the ResourceManager keeps waits by its own means, and"
              + " ApplicationMasters are not placed by their inputs",
          CLUSTER_KEY,
          name,
          WeirPlacementAllocator.class.getName());
    }
    return false;
  }
}
