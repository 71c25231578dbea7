package dev.weir.workflow.infer;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How fast the links of a cluster are, as its administrator says. */
public final class LinkSpeed {

  /** The ResourceManager's key, which tells it the same. */
  public static final String KEY = "weir.yarn.link.bytes-per-second";

  private static final Logger LOG = LoggerFactory.getLogger(LinkSpeed.class);

  private LinkSpeed() {}

  /**
   * Reads it. What is no number, or less than 1, is told in the log and passed over: it is for
   * advice alone.
   *
   * @param conf that of the cluster
   * @return bytes a second, at least 1; those of 1 Gbit/s where it does not say
   */
  public static long of(Configuration conf) {
    try {
      long said = conf.getLong(KEY, FetchModel.USUAL_BYTES_PER_SECOND);
      if (said >= 1) {
        return said;
      }
      LOG.warn("{} = {} is less than 1; using {}", KEY, said, FetchModel.USUAL_BYTES_PER_SECOND);
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
