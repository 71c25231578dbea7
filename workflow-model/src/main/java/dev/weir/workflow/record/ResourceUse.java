package dev.weir.workflow.record;

/**
 * The resources that a command used.
 *
 * @param cpuMillis processor time of its processes, in milliseconds; 0 also if not measured
 * @param peakMemoryBytes peak memory of its processes in bytes, as sampled; 0 if it ended before
 *     the first sample
 */
public record ResourceUse(long cpuMillis, long peakMemoryBytes) {

  /** No use, or unknown use. */
  public static final ResourceUse NONE = new ResourceUse(0, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public ResourceUse {
    if (cpuMillis < 0 || peakMemoryBytes < 0) {
      throw new IllegalArgumentException(
          "A command took " + cpuMillis + " ms of processors and " + peakMemoryBytes + " bytes");
    }
  }
}
