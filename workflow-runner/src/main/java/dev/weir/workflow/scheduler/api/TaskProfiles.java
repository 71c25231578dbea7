package dev.weir.workflow.scheduler.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Profiles of task types, learned from earlier runs. Immutable. Fields that later versions add to
 * the file are ignored.
 *
 * @param types profiles by type, the types seen last first
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record TaskProfiles(Map<String, Profile> types) {

  /** No profiles. */
  public static final TaskProfiles NONE = new TaskProfiles(Map.of());

  public TaskProfiles {
    types = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(types));
  }

  /**
   * The profile of a task type.
   *
   * @param samples number of attempts, at least 1
   * @param runSeconds median time of the command, in seconds
   * @param expectedSeconds median time with staging, in seconds
   * @param slowSeconds upper quartile of the time with staging, in seconds
   * @param peakMemoryBytes the greatest memory of an attempt; 0 when not measured
   * @param cores how many cores an attempt keeps busy; 0 when not measured
   * @param coreSamples how many attempts {@code cores} is based on
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Profile(
      int samples,
      double runSeconds,
      double expectedSeconds,
      double slowSeconds,
      long peakMemoryBytes,
      double cores,
      int coreSamples) {

    /** A profile without cores. */
    public Profile(
        int samples,
        double runSeconds,
        double expectedSeconds,
        double slowSeconds,
        long peakMemoryBytes) {
      this(samples, runSeconds, expectedSeconds, slowSeconds, peakMemoryBytes, 0, 0);
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when a value is impossible
     */
    public Profile {
      if (samples < 1
          || !(runSeconds >= 0)
          || !(expectedSeconds >= 0)
          || !(slowSeconds >= expectedSeconds)
          || peakMemoryBytes < 0
          || !(cores >= 0)
          || coreSamples < 0) {
        throw new IllegalArgumentException(
            "Invalid task profile: samples, runSeconds, expectedSeconds, slowSeconds are "
                + List.of(samples, runSeconds, expectedSeconds, slowSeconds)
                + "; peakMemoryBytes, cores, coreSamples are "
                + List.of(peakMemoryBytes, cores, coreSamples));
      }
    }

    /**
     * How many cores to reserve for such a task: the nearest whole number. An occasional helper
     * thread needs no core, and sharing half a core wastes as little as leaving it idle.
     *
     * @return at least 1
     */
    public int wholeCores() {
      return (int) Math.max(1, Math.min(Integer.MAX_VALUE, Math.round(cores)));
    }

    /**
     * The profile with other cores.
     *
     * @param busy how many cores an attempt keeps busy
     * @param seen how many attempts that is based on
     */
    public Profile withCores(double busy, int seen) {
      return new Profile(
          samples, runSeconds, expectedSeconds, slowSeconds, peakMemoryBytes, busy, seen);
    }

    private Profile withoutNeeds() {
      return new Profile(samples, runSeconds, expectedSeconds, slowSeconds, 0);
    }
  }

  /**
   * The profile of a type.
   *
   * @return empty when there is none
   */
  public Optional<Profile> of(String type) {
    return Optional.ofNullable(types.get(type));
  }

  /** The profiles without memory and cores. */
  public TaskProfiles withoutNeeds() {
    Map<String, Profile> times = new LinkedHashMap<>();
    types.forEach((type, profile) -> times.put(type, profile.withoutNeeds()));
    return new TaskProfiles(times);
  }
}
