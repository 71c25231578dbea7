package dev.weir.workflow.dispatch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of types of tasks from earlier runs. Immutable.
 *
 * @param types by type, those that were seen last first
 */
public record Habits(Map<String, Habit> types) {

  /** Nothing is known. */
  public static final Habits NONE = new Habits(Map.of());

  /** Copies. */
  public Habits {
    types = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(types));
  }

  /**
   * What tasks of a type did.
   *
   * @param samples how many were seen, at least 1
   * @param runSeconds how long the commands of half of them took at most, in seconds
   * @param expectedSeconds how long half of them took at most with their files
   * @param slowSeconds how long three quarters of them took at most with their files
   * @param peakMemoryBytes the most memory that one took; 0 when it was not seen
   */
  public record Habit(
      int samples,
      double runSeconds,
      double expectedSeconds,
      double slowSeconds,
      long peakMemoryBytes) {

    /**
     * Checks.
     *
     * @throws IllegalArgumentException when something cannot be
     */
    public Habit {
      if (samples < 1
          || !(runSeconds >= 0)
          || !(expectedSeconds >= 0)
          || !(slowSeconds >= expectedSeconds)
          || peakMemoryBytes < 0) {
        throw new IllegalArgumentException(
            "A type of task cannot have taken "
                + samples
                + " times "
                + runSeconds
                + " s, "
                + expectedSeconds
                + " to "
                + slowSeconds
                + " s with files and "
                + peakMemoryBytes
                + " bytes");
      }
    }
  }

  /**
   * What is known of a type.
   *
   * @param type the type
   * @return empty when nothing is
   */
  public Optional<Habit> of(String type) {
    return Optional.ofNullable(types.get(type));
  }
}
