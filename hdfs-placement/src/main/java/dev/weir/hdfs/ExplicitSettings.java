package dev.weir.hdfs;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;

/**
 * Tells settings that somebody has chosen for this run from those that every client of the cluster
 * has: the former are a choice that hints do not touch.
 */
final class ExplicitSettings {
  /** What Hadoop's {@code GenericOptionsParser} notes for {@code -D key=value}. */
  private static final String OPTION = "from command line";

  /** How Spark's note begins for {@code spark.hadoop.KEY}, wherever that was set. */
  private static final String SPARK = "Set by Spark";

  private ExplicitSettings() {}

  /**
   * Whether a command line, of this process or of the job that it belongs to, has set the key. What
   * a program sets itself cannot be told from what it copies from elsewhere, and does not count.
   */
  static boolean isOfThisRun(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && Arrays.stream(sources)
            .anyMatch(source -> source.equals(OPTION) || source.startsWith(SPARK));
  }
}
