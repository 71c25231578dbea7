package dev.weir.service.access;

import dev.weir.service.part.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * The limits for users who are not administrators.
 *
 * @param replication the most replicas that a rule may ask for
 * @param rulesPerSet the most rules of a set
 * @param setsPerUser the most sets of one owner
 * @param rulesPerUser the most rules of all sets of one owner
 * @param lifetime the longest time until a set expires, and the default if none is given
 * @param runRowsPerUser the most database rows that the runs of one owner may have
 */
public record HintLimits(
    int replication,
    int rulesPerSet,
    int setsPerUser,
    int rulesPerUser,
    Duration lifetime,
    int runRowsPerUser) {
  private static final String PREFIX = "weir.server.limits.";

  public static final Setting<Integer> REPLICATION =
      Setting.count(
          PREFIX + "replication", 32, 1, 512, "The most replicas that a rule may ask for.");

  public static final Setting<Integer> RULES_PER_SET =
      Setting.count(
          PREFIX + "rules-per-set", 100_000, 1, 10_000_000, "The most rules of one hint set.");

  public static final Setting<Integer> SETS_PER_USER =
      Setting.count(
          PREFIX + "sets-per-user",
          1000,
          1,
          10_000_000,
          "The most hint sets of one owner, including those by path.");

  public static final Setting<Integer> RULES_PER_USER =
      Setting.count(
          PREFIX + "rules-per-user",
          300_000,
          1,
          10_000_000,
          "The most rules of all hint sets of one owner together.");

  public static final Setting<Duration> LIFETIME =
      Setting.time(
          PREFIX + "lifetime",
          "30d",
          "The longest time until a set expires; it is the default of a set written without an"
              + " expiry.");

  public static final Setting<Integer> RUN_ROWS_PER_USER =
      Setting.count(
          PREFIX + "run-rows-per-user",
          20_000_000,
          1,
          Integer.MAX_VALUE,
          "The most database rows of the runs of one owner; a run of 100,000 tasks with one"
              + " input and one output has 800,000.");

  public static final List<Setting<?>> ALL =
      List.of(
          REPLICATION, RULES_PER_SET, SETS_PER_USER, RULES_PER_USER, LIFETIME, RUN_ROWS_PER_USER);

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public static HintLimits from(Configuration configuration) {
    return new HintLimits(
        REPLICATION.from(configuration),
        RULES_PER_SET.from(configuration),
        SETS_PER_USER.from(configuration),
        RULES_PER_USER.from(configuration),
        LIFETIME.from(configuration),
        RUN_ROWS_PER_USER.from(configuration));
  }
}
