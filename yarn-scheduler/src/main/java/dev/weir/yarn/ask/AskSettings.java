package dev.weir.yarn.ask;

import dev.weir.yarn.wait.LocalityWait;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that an administrator may change in {@code yarn-site.xml}. An invalid value is
 * logged and replaced by the default: a ResourceManager must not fail to start because of advice.
 *
 * @param holdMillis the longest time that asks wait for a lookup
 * @param localityWait how long containers wait for a named node
 * @param namesNodes whether names of files become nodes; if not, they are removed
 * @param idleMillis the silence after which an application is forgotten, in milliseconds
 */
public record AskSettings(
    long holdMillis, LocalityWait localityWait, boolean namesNodes, long idleMillis) {

  /** The longest time that asks wait for a lookup, in milliseconds. */
  static final String HOLD = "weir.yarn.hold.ms";

  /** Containers do not wait for bytes that a node can fetch in fewer milliseconds. */
  static final String WAIT_FLOOR = "weir.yarn.locality-wait.floor-ms";

  /** The longest wait for a named node, in milliseconds. */
  static final String WAIT_MAX = "weir.yarn.locality-wait.max-ms";

  /** The rate at which a node fetches bytes from another, if the application does not say. */
  static final String LINK = "weir.yarn.link.bytes-per-second";

  public static final long DEFAULT_HOLD = 1_500;
  public static final long DEFAULT_WAIT_MAX = 10_000;

  /** At 1 Gbit/s this is 625 kB, which is negligible beside the start of a container. */
  static final long DEFAULT_WAIT_FLOOR = 5;

  /** Hadoop's own constant is an int in 3.3 and a long since 3.4. */
  private static final long DEFAULT_EXPIRY = 900_000;

  /** 1 Gbit/s. */
  static final long DEFAULT_LINK = 125_000_000;

  /**
   * A key of the Capacity scheduler, false by default. Hadoop 3.4 has neither the key nor a
   * constant.
   */
  private static final String AUTOCORRECT =
      YarnConfiguration.RM_PREFIX + "scheduler.autocorrect.container.allocation";

  private static final Logger LOG = LoggerFactory.getLogger(AskSettings.class);

  /** Reads the settings of a ResourceManager. Never throws. */
  public static AskSettings from(Configuration conf) {
    // With this key the scheduler treats an ask for fewer containers than it has just allocated on
    // a key as a request to return some, also if the ask is for a host. Weir asks each node for
    // fewer.
    boolean corrects = conf.getBoolean(AUTOCORRECT, false);
    if (corrects) {
      LOG.warn(
          "Names of files in asks are ignored because {} is true: the scheduler would take"
              + " containers back",
          AUTOCORRECT);
    }
    // The ResourceManager itself considers an ApplicationMaster dead after this silence.
    long expiry = atLeast(1, conf, YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, DEFAULT_EXPIRY);
    return new AskSettings(
        atLeast(0, conf, HOLD, DEFAULT_HOLD),
        new LocalityWait(
            atLeast(0, conf, WAIT_FLOOR, DEFAULT_WAIT_FLOOR),
            atLeast(0, conf, WAIT_MAX, DEFAULT_WAIT_MAX),
            atLeast(1, conf, LINK, DEFAULT_LINK)),
        !corrects,
        2 * expiry);
  }

  private static long atLeast(long least, Configuration conf, String key, long fallback) {
    try {
      long value = conf.getLong(key, fallback);
      if (value >= least) {
        return value;
      }
      LOG.warn("{} = {} is less than {}; using {}", key, value, least, fallback);
    } catch (NumberFormatException e) {
      LOG.warn("{} = '{}' is not a whole number; using {}", key, conf.get(key), fallback);
    }
    return fallback;
  }
}
