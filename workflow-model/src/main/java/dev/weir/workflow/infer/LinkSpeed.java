package dev.weir.workflow.infer;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configured speed of a cluster's links. */
public final class LinkSpeed {

  /** The configuration key, which the ResourceManager uses as well. */
  public static final String KEY = "weir.yarn.link.bytes-per-second";

  private static final Logger LOG = LoggerFactory.getLogger(LinkSpeed.class);

  private LinkSpeed() {}

  /**
   * Reads the link speed. A value that is not a number, or less than 1, is logged and ignored,
   * because it only affects advice.
   *
   * @param conf the configuration of the cluster
   * @return bytes per second, at least 1; those of 1 Gbit/s if the key is not set
   */
  public static long of(Configuration conf) {
    try {
      long configured = conf.getLong(KEY, FetchModel.USUAL_BYTES_PER_SECOND);
      if (configured >= 1) {
        return configured;
      }
      LOG.warn(
          "{} = {} is less than 1; using {}", KEY, configured, FetchModel.USUAL_BYTES_PER_SECOND);
    } catch (NumberFormatException e) {
      LOG.warn(
          "{} = '{}' is not a whole number; using {}",
          KEY,
          conf.get(KEY),
          FetchModel.USUAL_BYTES_PER_SECOND);
    }
    return FetchModel.USUAL_BYTES_PER_SECOND;
  }
}
