package dev.weir.yarn.allocator;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.util.YarnVersionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Determines by Hadoop's rules which placement allocator an application gets. */
public final class AllocatorSelection {

  /** The key that sets the allocator of all applications. */
  public static final String CLUSTER_KEY = "yarn.scheduler.app-placement-allocator.class";

  /**
   * The scheduling property that sets the allocator of one application. YARN's constant has the
   * same name.
   */
  public static final String APPLICATION_KEY = "APPLICATION_PLACEMENT_TYPE_CLASS";

  /** The class name as text: the class itself depends on this package. */
  private static final String ALLOCATOR = "dev.weir.yarn.WeirPlacementAllocator";

  private static final Logger LOG = LoggerFactory.getLogger(AllocatorSelection.class);

  private AllocatorSelection() {}

  /** Whether an application gets Weir's allocator. Takes no lock. */
  public static boolean usesWeir(@Nullable RMApp app, Configuration conf) {
    return usesWeir(app, conf, YarnConfiguration.class);
  }

  /**
   * Whether an application gets Weir's allocator in a given version of YARN.
   *
   * @param yarn the class with that version's constants
   */
  public static boolean usesWeir(@Nullable RMApp app, Configuration conf, Class<?> yarn) {
    Map<String, String> properties = app == null ? null : app.getApplicationSchedulingEnvs();
    String own = properties == null ? null : properties.get(APPLICATION_KEY);
    return own != null
        ? usesWeir(own)
        : supportsClusterKey(yarn) && usesWeir(conf.get(CLUSTER_KEY));
  }

  /**
   * Whether that version of YARN has the key for all applications. Versions before 3.4.0 do not.
   */
  private static boolean supportsClusterKey(Class<?> yarn) {
    try {
      return yarn.getField(APPLICATION_KEY) != null;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  private static boolean usesWeir(@Nullable String name) {
    return ALLOCATOR.equals(name);
  }

  /**
   * Whether Weir's allocator is the default of all applications. Logs a warning if another class is
   * configured: Hadoop silently falls back to its own when a class does not load.
   */
  public static boolean isClusterDefault(Configuration conf) {
    return isClusterDefault(conf, YarnConfiguration.class);
  }

  /** Whether Weir's allocator is the default in a given version of YARN. */
  public static boolean isClusterDefault(Configuration conf, Class<?> yarn) {
    String name = conf.get(CLUSTER_KEY, "");
    if (usesWeir(name)) {
      if (!supportsClusterKey(yarn)) {
        LOG.warn(
            "YARN {} does not support {}, which needs 3.4.0: give applications the scheduling"
                + " property {}={}",
            YarnVersionInfo.getVersion(),
            CLUSTER_KEY,
            APPLICATION_KEY,
            name);
      }
      return supportsClusterKey(yarn);
    }
    if (!name.isEmpty()) {
      LOG.warn(
          "{} is {}, not {}: waits for nodes are kept by the asks themselves, and"
              + " ApplicationMasters are not placed by their inputs",
          CLUSTER_KEY,
          name,
          ALLOCATOR);
    }
    return false;
  }
}
