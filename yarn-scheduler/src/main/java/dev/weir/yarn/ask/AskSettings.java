package dev.weir.yarn.ask;

import dev.weir.yarn.wait.LocalityWait;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an administrator may set in {@code yarn-site.xml}. A value that is no good is reported and
 * the default is used, for a ResourceManager must not fail to start because of advice.
 *
 * @param holdMillis how long asks wait for a look-up at most
 * @param localityWait how long containers wait for a named node
 * @param namesNodes whether names of files are made nodes, or only left out
 * @param idleMillis after how long without a heartbeat an application is forgotten
 */
public record AskSettings(
    long holdMillis, LocalityWait localityWait, boolean namesNodes, long idleMillis) {

  /** How long asks wait for a look-up at most, in milliseconds. */
  static final String HOLD = "weir.yarn.hold.ms";

  /** Bytes that are moved in fewer milliseconds are not worth a wait. */
  static final String WAIT_FLOOR = "weir.yarn.locality-wait.floor-ms";

  /** The longest wait for a named node, in milliseconds. */
  static final String WAIT_MAX = "weir.yarn.locality-wait.max-ms";

  /** How fast a node fetches bytes from another where the application does not say. */
  static final String LINK = "weir.yarn.link.bytes-per-second";

  public static final long DEFAULT_HOLD = 1_500;
  public static final long DEFAULT_WAIT_MAX = 10_000;

  /** What 1 Gbit/s moves meanwhile, 625 kB, is nothing beside the start of a container. */
  static final long DEFAULT_WAIT_FLOOR = 5;

  /** 1 Gbit/s. */
  static final long DEFAULT_LINK = 125_000_000;

  /** Of the Capacity scheduler, false by default; Hadoop 3.4 has neither it nor a constant. */
  private static final String AUTOCORRECT =
      YarnConfiguration.RM_PREFIX + "scheduler.autocorrect.container.allocation";

  private static final Logger LOG = LoggerFactory.getLogger(AskSettings.class);

  /** The settings of a ResourceManager; throws nothing, whatever they are. */
  public static AskSettings from(Configuration conf) {
    // With the correction on, the scheduler takes any ask, for a host too, that is for fewer
    // containers than it has just given on the key to mean that some are to be given back; and we
    // ask each node for fewer.
    boolean corrects = conf.getBoolean(AUTOCORRECT, false);
    if (corrects) {
      LOG.warn(
          "Files that asks name are left out, since {} is true: it would take containers back",
          AUTOCORRECT);
    }
    // An ApplicationMaster that is silent for longer is dead to the ResourceManager too.
    long expiry =
        atLeast(
            1,
            conf,
            YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS,
            YarnConfiguration.DEFAULT_RM_AM_EXPIRY_INTERVAL_MS);
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
