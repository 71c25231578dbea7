package dev.weir.workflow.record;

/**
 * The resources that a command used, and the fill of its node when it ended.
 *
 * @param cpuMillis processor time of its processes, in milliseconds; 0 also if not measured
 * @param peakMemoryBytes peak memory of its processes in bytes, as sampled; 0 if it ended before
 *     the first sample
 * @param cacheBytes size of the node's cache with the files that only the node has; 0 also if not
 *     measured
 * @param diskFreeBytes free space of the disk with the sandboxes; 0 also if not measured
 */
public record ResourceUse(
    long cpuMillis, long peakMemoryBytes, long cacheBytes, long diskFreeBytes) {

  /** No use, or unknown use. */
  public static final ResourceUse NONE = new ResourceUse(0, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public ResourceUse {
    if (cpuMillis < 0 || peakMemoryBytes < 0 || cacheBytes < 0 || diskFreeBytes < 0) {
      throw new IllegalArgumentException(
          "A command took " + cpuMillis + " ms of processors and " + peakMemoryBytes + " bytes");
    }
  }

  /** Creates the use of a command on a node whose fill is unknown. */
  public ResourceUse(long cpuMillis, long peakMemoryBytes) {
    this(cpuMillis, peakMemoryBytes, 0, 0);
  }

  /** Returns a copy with the fill of the node. */
  public ResourceUse on(long cache, long diskFree) {
    return new ResourceUse(cpuMillis, peakMemoryBytes, cache, diskFree);
  }
}
