package dev.weir.bench.patterns;

import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.MostReadFile;
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
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.cluster.experiment.InputUpload;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.WorkerPlan;
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

/** Runs workflows one after another, so that each starts alike. Not for several threads at once. */
final class PatternRuns implements AutoCloseable {

  /** Side by side: each goes to nodes of its own, whose links carry no other run's then. */
  private static final int UPLOADS = 32;

  /** On few cores many workers take long to start; what they do is measured, not that. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final Configuration conf;
  private final ClusterQuiescence quiescence;
  private final @Nullable OutsideServer backEnd;
  private final java.nio.file.Path scratch;
  private final Clock clock;
  private final Duration limit;

  /** What HDFS holds without any files of a run. */
  private long empty;

  /** Of a run. */
  private Path data = RunPaths.of(0);

  private int runs;

  /**
   * On a running cluster.
   *
   * @param backEnd where inputs come from and outputs go to; null when they are in HDFS
   * @param scratch a local directory for inputs
   * @param limit how long a run may take
   */
  PatternRuns(
      LocalCluster cluster,
      @Nullable OutsideServer backEnd,
      java.nio.file.Path scratch,
      Clock clock,
      Duration limit) {
    this.cluster = cluster;
    this.conf = cluster.configuration();
    this.quiescence = new ClusterQuiescence(cluster);
    this.backEnd = backEnd;
    this.scratch = scratch;
    this.clock = clock;
    this.limit = limit;
  }

  /**
   * What came of a run.
   *
   * @param record what the tasks did
   * @param usage what it used beside time
   * @param steps what it took of the machine's time
   * @param replicas of the file that most tasks read; 0 where there is none
   */
  record Done(RunRecord record, RunUsage usage, RunSteps steps, int replicas) {}

  /**
   * Makes a run in each way to run tasks that is in no table: the first ones on a new cluster are
   * slow, for its nodes fetch the runner's jars, and its daemons load and compile what they do.
   *
   * @param cluster an experiment of this cluster, whichever
   * @param console is told of one that fails and is made again
   * @throws IOException when a run does not succeed, nor when it is made again
   */
  void warmUp(Experiment cluster, List<Setup> setups, PrintWriter console)
      throws IOException, InterruptedException {
    Experiment one = cluster.of(Pattern.BROADCAST, PatternSize.MEDIUM, PatternVariant.PLAIN);
    for (Setup setup : WarmUpRuns.firstOfEachMode(setups, Setup::mode)) {
      WarmUpRuns.of("warm-up, " + setup.label(), () -> run(one, setup, 1), console);
    }
    quiescence.await();
    empty = ClusterMeter.usedAtRest(this.cluster);
  }

  /**
   * Provides the inputs, waits for rest, runs, checks the results the first time, and has
   * everything removed again, for the rest of which the next run waits.
   *
   * @throws WrongResultException when the results are wrong
   * @throws IOException when the run does not succeed, or not with a worker on each node
   */
  Done run(Experiment experiment, Setup setup, int repeat)
      throws IOException, InterruptedException {
    String url = backEnd == null ? "" : backEnd.url();
    Workflow workflow = PatternWorkflow.warmed(experiment, setup, url);
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    data = RunPaths.of(++runs);
    StepTimer laps = StepTimer.begin();
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(own);
        ClusterMeter meter = new ClusterMeter(cluster, empty, clock)) {
      try {
        // By what earlier runs have taught, of other patterns too, tasks are begun a second time.
        RunDirectories.own(fs).forgetRuns();
        provide(experiment, workflow, fs);
        double provide = laps.next();
        quiescence.await();
        double rest = laps.next();
        RunRecord record = execute(workflow, setup);
        double run = laps.next();
        WorkerCheck.require(record, cluster.nodes().size());
        quiescence.await();
        RunUsage usage = meter.since(CountedTasks.of(record).begin());
        double settle = laps.next();
        int replicas = MostReadFile.replicas(fs, data, workflow, record);
        if (repeat == 1) {
          check(experiment, setup, fs);
        }
        double fetch = laps.next();
        clean(fs);
        RunSteps steps = new RunSteps(provide, rest, run, settle, fetch, laps.next());
        return new Done(record, usage, steps, replicas);
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

  private void provide(Experiment experiment, Workflow workflow, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    if (backEnd != null) {
      Workflow plain = PatternWorkflow.ofRun(experiment, Setup.WEIR, "");
      for (DataFile input : plain.graph().workflowInputs()) {
        backEnd.provide(input.id(), input.sizeBytes());
      }
      return;
    }
    java.nio.file.Path local = Files.createTempDirectory(scratch, "inputs-");
    try {
      List<DataFile> inputs = workflow.graph().workflowInputs();
      for (DataFile input : inputs) {
        LocalRun.makeFile(local, input);
      }
      new InputUpload(fs).upload(inputs.stream().map(DataFile::id).toList(), local, data, UPLOADS);
    } finally {
      FileUtils.deleteDirectory(local.toFile());
    }
  }

  /** Whether the results are what they should be, to the last byte. */
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
            .workers(WorkerPlan.DEFAULT.withPatience(PATIENCE))
            .build();
    return SuccessfulRun.of(conf, request, limit, setup.label());
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
