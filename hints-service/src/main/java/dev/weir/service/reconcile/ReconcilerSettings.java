package dev.weir.service.reconcile;

import dev.weir.service.part.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * How the reconciler works.
 *
 * @param enabled whether there is one
 * @param poll how long it waits for the next edits
 * @param save how often it saves how far it has come
 * @param expiry how often it looks for temporary files whose time has come
 * @param cacheFiles how many files the patterns of one set may have cached
 */
public record ReconcilerSettings(
    boolean enabled, Duration poll, Duration save, Duration expiry, int cacheFiles) {
  private static final String PREFIX = "weir.server.reconciler.";

  /** The key of {@link #enabled}. */
  public static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "Whether the leader follows the NameNode's edits; it must be a superuser of HDFS for"
              + " it.");

  /** The key of {@link #poll}. */
  public static final Setting<Duration> POLL =
      Setting.time(PREFIX + "poll", "200ms", "How long it waits for edits before it looks around.");

  /** The key of {@link #save}. */
  public static final Setting<Duration> SAVE =
      Setting.time(
          PREFIX + "save",
          "2s",
          "How often it saves how far it has come; what came later is done again after a crash.");

  /** The key of {@link #expiry}. */
  public static final Setting<Duration> EXPIRY =
      Setting.time(
          PREFIX + "expiry", "30s", "How often it looks for temporary files whose time has come.");

  /** The key of {@link #cacheFiles}. */
  public static final Setting<Integer> CACHE_FILES =
      Setting.count(
          PREFIX + "cache-files",
          1000,
          0,
          1_000_000,
          "How many files the patterns of one hint set may have cached; a hundred times as many"
              + " paths are looked at.");

  /** All keys. */
  public static final List<Setting<?>> ALL = List.of(ENABLED, POLL, SAVE, EXPIRY, CACHE_FILES);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException when one cannot be used
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
