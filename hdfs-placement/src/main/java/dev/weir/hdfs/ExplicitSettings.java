package dev.weir.hdfs;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;

/**
 * Distinguishes settings chosen for this run from those that all clients of the cluster share.
 * Hints do not override the former.
 */
final class ExplicitSettings {
  /** The source that Hadoop's {@code GenericOptionsParser} records for {@code -D key=value}. */
  private static final String COMMAND_LINE_SOURCE = "from command line";

  /**
   * The prefix of the source that Spark records for {@code spark.hadoop.KEY}, wherever that was
   * set.
   */
  private static final String SPARK_SOURCE_PREFIX = "Set by Spark";

  private ExplicitSettings() {}

  /**
   * Whether a command line, of this process or of its job, has set the key. Values that a program
   * sets itself do not count: they cannot be told from values that it copies.
   */
  static boolean isSetForThisRun(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && Arrays.stream(sources)
            .anyMatch(
                source ->
                    source.equals(COMMAND_LINE_SOURCE) || source.startsWith(SPARK_SOURCE_PREFIX));
  }
}
