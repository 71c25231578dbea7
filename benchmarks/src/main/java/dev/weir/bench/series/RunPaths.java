package dev.weir.bench.series;

import org.apache.hadoop.fs.Path;

/**
 * The HDFS directories of runs. Each run has its own directory, because hints apply to paths, and
 * the hints of a run whose ApplicationMaster was killed stay in force for a while.
 */
public final class RunPaths {
  private RunPaths() {}

  /**
   * Returns the directory of a run.
   *
   * @param number counted on its cluster
   */
  public static Path of(int number) {
    return new Path("/weir-bench", "run-" + number);
  }
}
