package dev.weir.service.auto;

import dev.weir.service.part.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of replication by use.
 *
 * @param enabled whether replicas are set, not only planned
 * @param budget the most bytes of copies
 * @param interval the time between two rounds
 * @param rate the most files a second whose replication is set
 */
public record AutoSettings(boolean enabled, AutoBudget budget, Duration interval, int rate) {
  private static final String PREFIX = "weir.replication.auto.";

  public static final Setting<Boolean> ENABLED =
      Setting.flag(
          PREFIX + "enabled",
          true,
          "Whether files under auto get the replicas that they earn; if not, they are only planned"
              + " (weir hints auto --plan).");

  public static final Setting<AutoBudget> BUDGET =
      new Setting<>(
          PREFIX + "budget",
          "20%",
          "%, or bytes; k, m, g, t",
          "The most bytes of copies that auto makes: a share of the space that would be free"
              + " without them, or bytes, of which at most half that space is used.",
          AutoBudget::parse);

  public static final Setting<Duration> INTERVAL =
      Setting.time(PREFIX + "interval", "1m", "How often the replicas of files are decided.");

  public static final Setting<Integer> RATE =
      Setting.count(
          PREFIX + "rate", 20, 1, 10_000, "The most files a second whose replication is set.");

  public static final List<Setting<?>> ALL = List.of(ENABLED, BUDGET, INTERVAL, RATE);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public static AutoSettings from(Configuration configuration) {
    return new AutoSettings(
        ENABLED.from(configuration),
        BUDGET.from(configuration),
        INTERVAL.from(configuration),
        RATE.from(configuration));
  }
}
