package dev.weir.yarn.allocator;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.util.YarnVersionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which placement allocator an application gets, by Hadoop's rules. */
public final class AllocatorSelection {

  /** For all applications. */
  public static final String CLUSTER_KEY = "yarn.scheduler.app-placement-allocator.class";

  /** For one application, among its scheduling properties; YARN's constant is called so too. */
  public static final String APPLICATION_KEY = "APPLICATION_PLACEMENT_TYPE_CLASS";

  /** A name alone, for the class depends on this package. */
  private static final String ALLOCATOR = "dev.weir.yarn.WeirPlacementAllocator";

  private static final Logger LOG = LoggerFactory.getLogger(AllocatorSelection.class);

  private AllocatorSelection() {}

  /** Whether an application's asks are kept by ours. Takes no lock. */
  public static boolean isOurs(@Nullable RMApp app, Configuration conf) {
    return isOurs(app, conf, YarnConfiguration.class);
  }

  /**
   * The same in some version of YARN.
   *
   * @param yarn its constants
   */
  public static boolean isOurs(@Nullable RMApp app, Configuration conf, Class<?> yarn) {
    Map<String, String> properties = app == null ? null : app.getApplicationSchedulingEnvs();
    String own = properties == null ? null : properties.get(APPLICATION_KEY);
    return own != null ? isOurs(own) : heeds(yarn) && isOurs(conf.get(CLUSTER_KEY));
  }

  /** Whether that YARN has the setting for all applications; before 3.4.0 there is none. */
  private static boolean heeds(Class<?> yarn) {
    try {
      return yarn.getField(APPLICATION_KEY) != null;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  private static boolean isOurs(@Nullable String name) {
    return ALLOCATOR.equals(name);
  }

  /**
   * Whether all applications get ours that do not choose another. Hadoop takes its own without a
   * word where a class does not load, so this says it.
   */
  public static boolean loaded(Configuration conf) {
    return loaded(conf, YarnConfiguration.class);
  }

  /**
   * The same in some version of YARN.
   *
   * @param yarn its constants
   */
  public static boolean loaded(Configuration conf, Class<?> yarn) {
    String name = conf.get(CLUSTER_KEY, "");
    if (isOurs(name)) {
      if (!heeds(yarn)) {
        LOG.warn(
            "YARN {} does not heed {}, as from 3.4.0 on: give applications the scheduling property"
                + " {}={}",
            YarnVersionInfo.getVersion(),
            CLUSTER_KEY,
            APPLICATION_KEY,
            name);
      }
      return heeds(yarn);
    }
    if (!name.isEmpty()) {
      LOG.warn(
          "{} is {}, which is not {}: the ResourceManager keeps waits by its own means, and"
              + " ApplicationMasters are not placed by their inputs",
          CLUSTER_KEY,
          name,
          ALLOCATOR);
    }
    return false;
  }
}
