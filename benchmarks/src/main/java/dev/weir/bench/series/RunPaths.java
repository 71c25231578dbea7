package dev.weir.bench.series;

import org.apache.hadoop.fs.Path;

/**
 * Where the files of a run are in HDFS: each has a directory of its own, for hints are for paths,
 * and those of a run whose ApplicationMaster was killed are in force for a while.
 */
public final class RunPaths {
  private RunPaths() {}

  /**
   * The directory of a run.
   *
   * @param number counted on its cluster
   */
  public static Path of(int number) {
    return new Path("/weir-bench", "run-" + number);
  }
}
