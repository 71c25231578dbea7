package dev.weir.bench.blast;

import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.InputHints;
import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.MostReadFile;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.measure.WorkerCheck;
import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RunPaths;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.RunDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Stages in, runs and stages out, from a client on none of the nodes. Not thread-safe. */
final class BlastRuns implements AutoCloseable {

  private final LocalCluster cluster;
  private final Configuration conf;
  private final int nodes;
  private final Clock clock;
  private final Duration limit;

  /** The bytes in HDFS without any files of a run. */
  private long empty;

  /** The directory of the current run. */
  private Path data = RunPaths.of(0);

  private int runs;

  private final String path;
  private final ClusterQuiescence quiescence;

  /**
   * Creates the runs on a running cluster.
   *
   * @param path the {@code PATH} of the tasks
   * @param limit the longest duration of a run
   */
  BlastRuns(LocalCluster cluster, String path, Clock clock, Duration limit) {
    this.cluster = cluster;
    this.clock = clock;
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.path = path;
    this.limit = limit;
    this.quiescence = new ClusterQuiescence(cluster);
  }

  /**
   * The result of a run.
   *
   * @param record the record of the tasks
   * @param usage the resources that the tasks used
   * @param steps the duration of the steps, including stage-in and stage-out
   * @param replicas of the database
   */
  record Done(RunRecord record, RunUsage usage, RunSteps steps, int replicas) {}

  /** Takes the bytes in HDFS of the idle cluster as the base of later measurements. */
  void beginToCount() throws IOException, InterruptedException {
    quiescence.await();
    empty = ClusterMeter.usedAtRest(cluster);
  }

  /**
   * Makes a run and removes its files; the next run waits until that is finished.
   *
   * @param inputs local directory with the inputs
   * @param results local directory that receives the results
   * @throws IOException if the run fails, or a node had no worker; the message says why
   */
  Done run(
      Workflow workflow,
      ReplicaSetting replicas,
      java.nio.file.Path inputs,
      java.nio.file.Path results)
      throws IOException, InterruptedException {
    data = RunPaths.of(++runs);
    Files.createDirectories(results);
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, replicas.replication());
    if (replicas.hinted()) {
      InputHints.apply(
          own,
          workflow,
          data.toString(),
          new ClusterShape(nodes, replicas.replication()),
          results.resolve("hints.json"));
    }
    quiescence.await();
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(own);
        ClusterMeter meter = new ClusterMeter(cluster, empty, clock)) {
      try {
        // Recorded task times of earlier runs would cause speculative attempts.
        RunDirectories.own(fs).forgetRuns();
        StepTimer laps = StepTimer.begin();
        stageIn(workflow, fs, inputs);
        double in = laps.next();
        quiescence.await();
        double rest = laps.next();
        RunRecord record = execute(workflow, replicas);
        double run = laps.next();
        WorkerCheck.require(record, nodes);
        quiescence.await();
        RunUsage usage = meter.since(CountedTasks.of(record).begin());
        double settle = laps.next();
        int made = MostReadFile.replicas(fs, data, workflow, record);
        stageOut(workflow, fs, results);
        double out = laps.next();
        fs.delete(data, true);
        RunSteps steps = new RunSteps(in, rest, run, settle, out, laps.next());
        return new Done(record, usage, steps, made);
      } finally {
        fs.delete(data, true);
      }
    }
  }

  private void stageIn(Workflow workflow, FileSystem fs, java.nio.file.Path inputs)
      throws IOException {
    for (DataFile input : workflow.graph().workflowInputs()) {
      fs.copyFromLocalFile(
          new Path(inputs.resolve(input.id()).toUri()), new Path(data, input.id()));
    }
  }

  private void stageOut(Workflow workflow, FileSystem fs, java.nio.file.Path results)
      throws IOException {
    for (int i = 0; i < workflow.tasks().size(); i++) {
      String hits = BlastWorkflow.hits(i);
      try (var in = fs.open(new Path(data, hits))) {
        Files.copy(in, results.resolve(hits));
      }
    }
  }

  private RunRecord execute(Workflow workflow, ReplicaSetting replicas)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(
                WorkerWarmUp.of(workflow, nodes, WorkerWarmUp.Commands.ZEROS), data.toString())
            .mode(replicas.mode())
            .replication(replicas.replication())
            .environment(Map.of("PATH", path))
            .workers(ComparisonBench.workers(nodes))
            .build();
    return SuccessfulRun.of(conf, request, limit, replicas.label());
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
