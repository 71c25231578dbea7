package dev.weir.workflow.record;

/**
 * What a command took of its node.
 *
 * @param cpuMillis processor time of its processes, in milliseconds; 0 when that was none, or it
 *     was not measured
 * @param peakMemoryBytes the most memory that its processes had at a time, in bytes, as far as was
 *     seen; 0 when it was over before anybody looked
 */
public record ResourceUse(long cpuMillis, long peakMemoryBytes) {

  /** Nothing, or nothing is known. */
  public static final ResourceUse NONE = new ResourceUse(0, 0);

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when it is less than nothing
   */
  public ResourceUse {
    if (cpuMillis < 0 || peakMemoryBytes < 0) {
      throw new IllegalArgumentException(
          "A command took " + cpuMillis + " ms of processors and " + peakMemoryBytes + " bytes");
    }
  }
}
