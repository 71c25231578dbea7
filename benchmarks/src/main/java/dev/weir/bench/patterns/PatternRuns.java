package dev.weir.bench.patterns;

import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.measure.WarmUpRuns;
import dev.weir.bench.measure.WorkerCheck;
import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RunPaths;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.WrongResultException;
import dev.weir.bench.workload.WithheldSizes;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.cluster.experiment.InputUpload;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/** Runs workflows one after another under the same conditions. Not thread-safe. */
final class PatternRuns implements AutoCloseable {

  /** Concurrent uploads. Each goes to different nodes, whose links no run uses at that time. */
  private static final int UPLOADS = 32;

  /** The wait for workers, which take long to start on few cores. The start is not measured. */
  private static final Duration WORKER_WAIT = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final Configuration conf;
  private final ClusterQuiescence quiescence;
  private final @Nullable OutsideServer backEnd;
  private final java.nio.file.Path scratch;
  private final Clock clock;
  private final Conditions conditions;

  /** The bytes in HDFS without any files of a run. */
  private long empty;

  /** The directory of the current run. */
  private Path data = RunPaths.of(0);

  private int runs;

  /**
   * Creates the runs on a running cluster.
   *
   * @param backEnd the server of inputs and outputs; null if they are in HDFS
   * @param scratch a local directory for inputs
   */
  PatternRuns(
      LocalCluster cluster,
      @Nullable OutsideServer backEnd,
      java.nio.file.Path scratch,
      Clock clock,
      Conditions conditions) {
    this.cluster = cluster;
    this.conf = cluster.configuration();
    this.quiescence = new ClusterQuiescence(cluster);
    this.backEnd = backEnd;
    this.scratch = scratch;
    this.clock = clock;
    this.conditions = conditions;
  }

  /**
   * The conditions of all runs.
   *
   * @param limit the longest duration of a run
   * @param withholdSizes whether the sizes of files are withheld
   */
  record Conditions(Duration limit, boolean withholdSizes) {}

  /**
   * The result of a run.
   *
   * @param record the record of the tasks
   * @param usage the resources that it used
   * @param steps the duration of its steps
   */
  record Done(RunRecord record, RunUsage usage, RunSteps steps) {}

  /**
   * Makes one run per mode that is not counted. The first runs on a new cluster are slow, because
   * its nodes download the runner's jars and its daemons load and compile classes.
   *
   * @param console receives failures that are retried
   * @throws IOException if a run fails, and its retries too
   */
  void warmUp(Experiment cluster, List<Setup> setups, PrintWriter console)
      throws IOException, InterruptedException {
    Experiment one = cluster.of(Pattern.BROADCAST, PatternSize.MEDIUM, PatternVariant.PLAIN);
    for (Setup setup : WarmUpRuns.firstOfEachMode(setups, Setup::mode)) {
      WarmUpRuns.of("warm-up, " + setup.label(), () -> run(one, setup, 1), console);
    }
    quiescence.await();
    empty = ClusterMeter.usedWhenIdle(this.cluster);
  }

  /**
   * Creates the inputs, waits until the cluster is idle, runs, checks the results of the first
   * repetition, and removes all files. The next run waits until that is finished.
   *
   * @throws WrongResultException if the results are wrong
   * @throws IOException if the run fails, or a node had no worker
   */
  Done run(Experiment experiment, Setup setup, int repeat)
      throws IOException, InterruptedException {
    String url = backEnd == null ? "" : backEnd.url();
    Workflow workflow = PatternWorkflow.warmed(experiment, setup, url);
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    data = RunPaths.of(++runs);
    StepTimer timer = StepTimer.begin();
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(own);
        ClusterMeter meter = new ClusterMeter(cluster, empty, clock)) {
      try {
        // Recorded task times of earlier runs, of other patterns too, would cause speculative
        // attempts.
        RunDirectories.own(fs).forgetRuns();
        WorkerWarmUp.provide(fs, data);
        provide(experiment, setup, fs);
        double provide = timer.next();
        quiescence.await();
        double rest = timer.next();
        RunRecord record =
            execute(conditions.withholdSizes() ? WithheldSizes.of(workflow) : workflow, setup);
        double run = timer.next();
        WorkerCheck.require(record, cluster.nodes().size());
        quiescence.await();
        RunUsage usage = meter.since(CountedTasks.of(record).begin());
        double settle = timer.next();
        if (repeat == 1) {
          check(experiment, setup, fs);
        }
        double fetch = timer.next();
        clean(fs);
        RunSteps steps = new RunSteps(provide, rest, run, settle, fetch, timer.next());
        return new Done(record, usage, steps);
      } finally {
        clean(fs);
      }
    }
  }

  private void clean(DistributedFileSystem fs) throws IOException {
    fs.delete(data, true);
    if (backEnd != null) {
      backEnd.clear();
    }
  }

  private void provide(Experiment experiment, Setup setup, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    List<DataFile> inputs = PatternWorkflow.ofRun(experiment, setup, "").graph().workflowInputs();
    if (backEnd != null) {
      for (DataFile input : inputs) {
        backEnd.provide(input.id(), input.sizeBytes());
      }
      return;
    }
    java.nio.file.Path local = Files.createTempDirectory(scratch, "inputs-");
    try {
      for (DataFile input : inputs) {
        LocalRun.makeFile(local, input);
      }
      new InputUpload(fs).upload(inputs.stream().map(DataFile::id).toList(), local, data, UPLOADS);
    } finally {
      FileUtils.deleteDirectory(local.toFile());
    }
  }

  /** Checks every byte of the results. */
  private void check(Experiment experiment, Setup setup, DistributedFileSystem fs)
      throws IOException {
    Workflow plain = PatternWorkflow.ofRun(experiment, setup, "");
    for (DataFile output : plain.graph().finalOutputs()) {
      if (backEnd != null) {
        backEnd.require(output.id(), output.sizeBytes());
      }
      FileContents.requireWhole(
          output.id(), output.sizeBytes(), fs.open(new Path(data, output.id())));
    }
  }

  private RunRecord execute(Workflow workflow, Setup setup)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(workflow, data.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .choices(setup.choices())
            .workers(WorkerPlan.DEFAULT.withPatience(WORKER_WAIT))
            .build();
    return SuccessfulRun.of(conf, request, conditions.limit(), setup.label());
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
