package dev.weir.workflow.scheduler;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of types of tasks from earlier runs. Immutable. What later versions add to the file
 * is passed over.
 *
 * @param types by type, those that were seen last first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record TaskProfiles(Map<String, Habit> types) {

  /** Nothing is known. */
  public static final TaskProfiles NONE = new TaskProfiles(Map.of());

  /** Copies. */
  public TaskProfiles {
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
   * @param cores how many cores they keep busy, as far as there were any; 0 when it was not seen
   * @param coreSamples by how many attempts that is known
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Habit(
      int samples,
      double runSeconds,
      double expectedSeconds,
      double slowSeconds,
      long peakMemoryBytes,
      double cores,
      int coreSamples) {

    /**
     * Of tasks of whose cores nothing is known.
     *
     * @param samples how many were seen, at least 1
     * @param runSeconds how long the commands of half of them took at most, in seconds
     * @param expectedSeconds how long half of them took at most with their files
     * @param slowSeconds how long three quarters of them took at most with their files
     * @param peakMemoryBytes the most memory that one took; 0 when it was not seen
     */
    public Habit(
        int samples,
        double runSeconds,
        double expectedSeconds,
        double slowSeconds,
        long peakMemoryBytes) {
      this(samples, runSeconds, expectedSeconds, slowSeconds, peakMemoryBytes, 0, 0);
    }

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
          || peakMemoryBytes < 0
          || !(cores >= 0)
          || coreSamples < 0) {
        throw new IllegalArgumentException(
            "A type of task cannot have taken "
                + samples
                + " times "
                + runSeconds
                + " s, "
                + expectedSeconds
                + " to "
                + slowSeconds
                + " s with files, "
                + peakMemoryBytes
                + " bytes and "
                + cores
                + " cores in "
                + coreSamples
                + " of them");
      }
    }

    /**
     * How many cores are set aside for such a task: the nearest number to what it keeps busy, for a
     * thread that helps now and then is no core, and half a core is as well shared as left idle.
     *
     * @return at least 1
     */
    public int wholeCores() {
      return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(cores)));
    }

    /**
     * The same with other cores.
     *
     * @param busy how many they keep busy
     * @param seen by how many attempts that is known
     * @return the habit
     */
    public Habit withCores(double busy, int seen) {
      return new Habit(
          samples, runSeconds, expectedSeconds, slowSeconds, peakMemoryBytes, busy, seen);
    }

    private Habit withoutNeeds() {
      return new Habit(samples, runSeconds, expectedSeconds, slowSeconds, 0);
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

  /**
   * The same of times alone.
   *
   * @return what is known, but for memory and cores
   */
  public TaskProfiles withoutNeeds() {
    Map<String, Habit> times = new LinkedHashMap<>();
    types.forEach((type, habit) -> times.put(type, habit.withoutNeeds()));
    return new TaskProfiles(times);
  }
}
