package dev.weir.service.reconcile;

import dev.weir.service.part.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of the reconciler.
 *
 * @param enabled whether the reconciler runs
 * @param poll how long it waits for the next edits
 * @param save how often it saves its position
 * @param expiry how often it looks for expired temporary files
 * @param cacheFiles the most files that the patterns of one set may have cached
 */
public record ReconcilerSettings(
    boolean enabled, Duration poll, Duration save, Duration expiry, int cacheFiles) {
  private static final String PREFIX = "weir.server.reconciler.";

  public static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "Whether the leader follows the NameNode's edits; it must be a superuser of HDFS for"
              + " it.");

  public static final Setting<Duration> POLL =
      Setting.time(PREFIX + "poll", "200ms", "How long it waits for edits before other work.");

  public static final Setting<Duration> SAVE =
      Setting.time(
          PREFIX + "save",
          "2s",
          "How often it saves its position; after a crash, later edits are handled again.");

  public static final Setting<Duration> EXPIRY =
      Setting.time(PREFIX + "expiry", "30s", "How often it looks for expired temporary files.");

  public static final Setting<Integer> CACHE_FILES =
      Setting.count(
          PREFIX + "cache-files",
          1000,
          0,
          1_000_000,
          "The most files that the patterns of one hint set may have cached; at most a hundred"
              + " times as many paths are visited.");

  public static final List<Setting<?>> ALL = List.of(ENABLED, POLL, SAVE, EXPIRY, CACHE_FILES);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public static ReconcilerSettings from(Configuration configuration) {
    return new ReconcilerSettings(
        ENABLED.from(configuration),
        POLL.from(configuration),
        SAVE.from(configuration),
        EXPIRY.from(configuration),
        CACHE_FILES.from(configuration));
  }
}
