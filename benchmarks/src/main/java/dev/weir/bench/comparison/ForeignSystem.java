package dev.weir.bench.comparison;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.series.Setup;
import dev.weir.cluster.LocalCluster;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/** A system without Hadoop that runs subjects on the nodes of the cluster. Not thread-safe. */
public interface ForeignSystem extends Closeable {
  /**
   * Provides the inputs, runs the workflow and removes all files.
   *
   * @param results local directory for the results, unless the system checks them itself
   * @throws dev.weir.bench.series.WrongResultException if it does, and one is missing or wrong
   * @throws IOException if the run fails
   */
  MeasuredRuns.Measured run(Subject subject, Setup setup, Path results)
      throws IOException, InterruptedException;

  /**
   * The environment of the system.
   *
   * @param cluster its daemons stay idle
   * @param scratch a local directory for all files
   * @param limit the longest duration of a run
   */
  record Site(LocalCluster cluster, Path scratch, Duration limit, Clock clock) {}

  /** Starts a system before its first run. */
  @FunctionalInterface
  interface Factory {
    /** The factory of experiments that run Hadoop only. */
    Factory NONE =
        site -> {
          throw new IllegalArgumentException("This experiment runs Hadoop only");
        };

    /**
     * Starts the system.
     *
     * @throws IOException if that fails; the message has the reason
     */
    ForeignSystem start(Site site) throws IOException, InterruptedException;
  }
}
