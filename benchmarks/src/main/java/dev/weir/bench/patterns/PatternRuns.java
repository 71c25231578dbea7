package dev.weir.bench.patterns;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.measure.WarmUpRuns;
import dev.weir.bench.report.Sample;
import dev.weir.bench.series.LocalRunTime;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.WrongResultException;
import dev.weir.bench.workload.WithheldSizes;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.InputUpload;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/**
 * Runs workflows one after another under the same conditions. Beside each repetition it measures
 * the same commands without Hadoop, on the same machine at about the same time. Not thread-safe.
 */
final class PatternRuns implements SeriesSession.Runs<RecordedRun> {

  /** Concurrent uploads. Each goes to different nodes, whose links no run uses at that time. */
  private static final int UPLOADS = 32;

  /** The wait for workers, which take long to start on few cores. The start is not measured. */
  private static final Duration WORKER_WAIT = Duration.ofMinutes(2);

  private final Configuration conf;
  private final OutsideServer server;
  private final @Nullable OutsideServer backEnd;
  private final SeriesSession<RecordedRun> session;
  private final Conditions conditions;
  private final MeasuredRuns runs;
  private final LocalRun local;
  private final Clock clock = Clock.systemUTC();

  /**
   * The conditions of all runs.
   *
   * @param experiments that are run, at least one
   * @param limit the longest duration of a run
   * @param staged whether inputs come from the outside server, and results go to it
   * @param withholdSizes whether the sizes of files are withheld
   */
  record Conditions(
      List<Experiment> experiments,
      List<Setup> setups,
      Duration limit,
      boolean staged,
      boolean withholdSizes) {
    Conditions {
      experiments = List.copyOf(experiments);
      setups = List.copyOf(setups);
    }
  }

  /** Creates the runs on a running cluster, and starts the outside server. */
  PatternRuns(LocalCluster cluster, SeriesSession<RecordedRun> session, Conditions conditions)
      throws IOException, InterruptedException {
    this.conf = cluster.configuration();
    this.session = session;
    this.conditions = conditions;
    this.local = new LocalRun(cluster.nodes().size(), session.scratch());
    this.runs = new MeasuredRuns(cluster, clock);
    this.server = OutsideServer.start(cluster, session.scratch().resolve("back-end"));
    this.backEnd = conditions.staged() ? server : null;
  }

  /**
   * Measures a link and makes one run per mode. The first runs on a new cluster are slow, because
   * its nodes download the runner's jars and its daemons load and compile classes.
   */
  @Override
  public double warmUp() throws IOException, InterruptedException {
    Experiment one =
        conditions
            .experiments()
            .get(0)
            .of(Pattern.BROADCAST, PatternSize.MEDIUM, PatternVariant.PLAIN);
    double rate = server.measureRate(one.bytesPerSecond());
    session.print("a link carries %.3f MB/s", rate / 1e6);
    for (Setup setup : WarmUpRuns.firstOfEachMode(conditions.setups(), Setup::mode)) {
      WarmUpRuns.of("warm-up, " + setup.label(), () -> run(one, setup, 1), session.console());
    }
    runs.startMeasuring();
    return rate;
  }

  @Override
  public RecordedRun make(PlannedRun planned, int number) throws IOException, InterruptedException {
    Experiment experiment =
        conditions.experiments().stream()
            .filter(one -> one.group().equals(planned.group()))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("No experiment '" + planned.group() + "'"));
    if (!session.recorded().hasLocal(planned)) {
      double seconds = local.seconds(new PatternWorkflow(experiment, Setup.WEIR, "").workflow());
      session.recorded().add(planned.group(), new LocalRunTime(planned.repeat(), number, seconds));
    }
    Instant begun = clock.instant();
    MeasuredRuns.Measured done = run(experiment, Setup.ofLabel(planned.setup()), planned.repeat());
    RunNotes notes = new RunNotes(number, begun, done.usage(), done.steps());
    RecordedRun run = new RecordedRun(planned, done.record(), notes);
    for (Sample sample : Sample.all(run, PatternWorkflow.STAGING)) {
      session.print(
          "  %s, %s, %d: %.2f s of %.1f s, %.1f s beside the tasks",
          experiment.label(),
          sample.setup().label(),
          sample.repeat(),
          sample.seconds(),
          sample.times().whole(),
          sample.overhead());
    }
    return run;
  }

  /**
   * Creates the inputs, waits until the cluster is idle, runs, checks the results of the first
   * repetition, and removes all files. The next run waits until that is finished.
   *
   * @throws WrongResultException if the results are wrong
   * @throws IOException if the run fails, or a node had no worker
   */
  private MeasuredRuns.Measured run(Experiment experiment, Setup setup, int repeat)
      throws IOException, InterruptedException {
    try {
      return runs.measure(
          new MeasuredRuns.Run() {
            @Override
            public Configuration client(Path data) {
              Configuration own = new Configuration(conf);
              own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
              return own;
            }

            @Override
            public void stageIn(DistributedFileSystem fs, Path data)
                throws IOException, InterruptedException {
              WorkerWarmUp.provide(fs, data);
              provide(experiment, setup, fs, data);
            }

            @Override
            public RunRecord execute(Path data) throws IOException, InterruptedException {
              return submit(experiment, setup, data);
            }

            @Override
            public void stageOut(DistributedFileSystem fs, Path data, RunRecord record)
                throws IOException {
              if (repeat == 1) {
                check(experiment, setup, fs, data);
              }
            }
          });
    } finally {
      if (backEnd != null) {
        backEnd.clear();
      }
    }
  }

  private void provide(Experiment experiment, Setup setup, DistributedFileSystem fs, Path data)
      throws IOException, InterruptedException {
    List<DataFile> inputs = PatternWorkflow.ofRun(experiment, setup, "").graph().workflowInputs();
    if (backEnd != null) {
      for (DataFile input : inputs) {
        backEnd.provide(input.id(), input.sizeBytes());
      }
      return;
    }
    java.nio.file.Path local = Files.createTempDirectory(session.scratch(), "inputs-");
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
  private void check(Experiment experiment, Setup setup, DistributedFileSystem fs, Path data)
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

  private RunRecord submit(Experiment experiment, Setup setup, Path data)
      throws IOException, InterruptedException {
    Workflow workflow =
        PatternWorkflow.warmed(experiment, setup, backEnd == null ? "" : backEnd.url());
    RunRequest request =
        RunRequest.builder(
                conditions.withholdSizes() ? WithheldSizes.of(workflow) : workflow, data.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .choices(setup.choices())
            .workers(WorkerPlan.DEFAULT.withPatience(WORKER_WAIT))
            .build();
    return SuccessfulRun.of(conf, request, conditions.limit(), setup.label());
  }

  @Override
  public void close() {
    try (runs) {
      server.close();
    }
  }
}
