package dev.weir.bench.measure;

import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RunPaths;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.RunDirectories;
import java.io.IOException;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Makes runs one after another on one cluster and times their steps. Each run has a new directory
 * in HDFS, starts on an idle cluster, and removes its files. Not thread-safe.
 */
public final class MeasuredRuns implements AutoCloseable {

  private final LocalCluster cluster;
  private final Clock clock;
  private final ClusterQuiescence quiescence;

  /** The bytes in HDFS without any files of a run. */
  private long empty;

  private int runs;

  public MeasuredRuns(LocalCluster cluster, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
    this.quiescence = new ClusterQuiescence(cluster);
  }

  /** The steps of a run that depend on the experiment. */
  public interface Run {

    /** Returns the configuration of the client that uploads and downloads. */
    Configuration client(Path data) throws IOException;

    /** Uploads the inputs. */
    void stageIn(DistributedFileSystem fs, Path data) throws IOException, InterruptedException;

    /** Runs the workflow to its end. */
    RunRecord execute(Path data) throws IOException, InterruptedException;

    /** Checks and downloads the results. */
    void stageOut(DistributedFileSystem fs, Path data, RunRecord record) throws IOException;
  }

  /**
   * The result of a run.
   *
   * @param record the record of the tasks
   * @param usage the resources that the tasks used
   * @param steps the duration of the steps, including stage-in and stage-out
   */
  public record Measured(RunRecord record, RunUsage usage, RunSteps steps) {}

  /** Takes the bytes in HDFS of the idle cluster as the base of later measurements. */
  public void startMeasuring() throws IOException, InterruptedException {
    quiescence.await();
    empty = ClusterMeter.usedWhenIdle(cluster);
  }

  /**
   * Makes a run and removes its files. The next run waits for the removal.
   *
   * @throws IOException if the run fails, or a node had no worker; the message says why
   */
  public Measured measure(Run run) throws IOException, InterruptedException {
    Path data = RunPaths.of(++runs);
    Configuration client = run.client(data);
    quiescence.await();
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(client);
        ClusterMeter meter = new ClusterMeter(cluster, empty, clock)) {
      try {
        // Recorded task times of earlier runs would cause speculative attempts.
        RunDirectories.own(fs).forgetRuns();
        StepTimer timer = StepTimer.begin();
        run.stageIn(fs, data);
        double stageIn = timer.next();
        quiescence.await();
        double idleWait = timer.next();
        RunRecord record = run.execute(data);
        double executed = timer.next();
        WorkerCheck.require(record, cluster.nodes().size());
        quiescence.await();
        RunUsage usage = meter.since(CountedTasks.of(record).begin());
        double settled = timer.next();
        run.stageOut(fs, data, record);
        double stageOut = timer.next();
        fs.delete(data, true);
        return new Measured(
            record,
            usage,
            new RunSteps(stageIn, idleWait, executed, settled, stageOut, timer.next()));
      } finally {
        fs.delete(data, true);
      }
    }
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
