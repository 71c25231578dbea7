package dev.weir.bench.series;

/**
 * What a run used beside time.
 *
 * @param networkBytes over all links by the counters of the interfaces, from the first task's
 *     dispatch until all is at rest
 * @param peakStorage bytes of all replicas in HDFS, at most, the inputs included
 */
public record RunUsage(long networkBytes, long peakStorage) {
  /**
   * The part of one of so many repetitions that a run had. They have files of their own, which stay
   * until the run ends, so that they share its peak, too.
   */
  public RunUsage share(int repetitions) {
    return new RunUsage(networkBytes / repetitions, peakStorage / repetitions);
  }
}
