package dev.weir.bench.series;

/**
 * The resources that a run used.
 *
 * @param networkBytes over all links by the counters of the interfaces, from the first task's
 *     dispatch until the cluster is idle
 * @param peakStorage the most bytes of all replicas in HDFS, including the inputs
 */
public record RunUsage(long networkBytes, long peakStorage) {
  /**
   * Returns the share of one of a run's repetitions. Their files exist until the run ends, so they
   * share its peak too.
   */
  public RunUsage share(int repetitions) {
    return new RunUsage(networkBytes / repetitions, peakStorage / repetitions);
  }
}
