package dev.weir.bench.comparison;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.WrongResultException;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.InputUpload;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;

/** Runs subjects one after another under the same conditions. Not thread-safe. */
final class SubjectRunner implements AutoCloseable {

  /**
   * The wait for the workers of all nodes. The start of their processes on few cores does not
   * depend on the placement of data.
   */
  private static final Duration WORKER_WAIT = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final Clock clock = Clock.systemUTC();
  private final Configuration conf;
  private final int nodes;
  private final Duration limit;
  private final java.nio.file.Path scratch;
  private final MeasuredRuns runs;
  private final ForeignSystem.Factory factory;
  private @Nullable ForeignSystem foreign;

  /**
   * Creates a runner on a running cluster.
   *
   * @param limit the longest duration of a run
   * @param scratch a local directory for small files
   * @param factory starts the system that runs setups without Hadoop
   */
  SubjectRunner(
      LocalCluster cluster,
      Duration limit,
      java.nio.file.Path scratch,
      ForeignSystem.Factory factory) {
    this.cluster = cluster;
    this.factory = factory;
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.limit = limit;
    this.scratch = scratch;
    this.runs = new MeasuredRuns(cluster, clock);
  }

  int nodes() {
    return nodes;
  }

  /** Takes the bytes in HDFS of the idle cluster as the base of later measurements. */
  void startMeasuring() throws IOException, InterruptedException {
    runs.startMeasuring();
  }

  /**
   * Uploads the inputs, waits until the cluster is idle, runs, downloads the results, and removes
   * all files. The next run waits for the removal. With all of Weir, the inputs have the replicas
   * that the workflow implies. The record has the final nodes of all outputs.
   *
   * @param results local directory that receives the results
   * @throws WrongResultException if an output is missing, or does not have the length that a
   *     stand-in writes
   * @throws IOException if the run fails, or a node had no worker; the message says why
   */
  MeasuredRuns.Measured run(Subject subject, Setup setup, java.nio.file.Path results)
      throws IOException, InterruptedException {
    if (setup.isForeign()) {
      return foreign().run(subject, setup, results);
    }
    FinalLocations locations = new FinalLocations();
    MeasuredRuns.Measured measured = runs.measure(steps(subject, setup, results, locations));
    return new MeasuredRuns.Measured(
        locations.in(measured.record()), measured.usage(), measured.steps());
  }

  private ForeignSystem foreign() throws IOException, InterruptedException {
    if (foreign == null) {
      foreign = factory.start(new ForeignSystem.Site(cluster, scratch, limit, clock));
    }
    return foreign;
  }

  private MeasuredRuns.Run steps(
      Subject subject, Setup setup, java.nio.file.Path results, FinalLocations locations) {
    return new MeasuredRuns.Run() {
      @Override
      public Configuration client(Path data) throws IOException {
        return clientOf(subject, setup, data);
      }

      @Override
      public void stageIn(DistributedFileSystem fs, Path data) throws IOException {
        WorkerWarmUp.provide(fs, data);
        upload(fs, subject, data);
      }

      @Override
      public RunRecord execute(Path data) throws IOException, InterruptedException {
        return submit(subject, setup, data);
      }

      @Override
      public void stageOut(DistributedFileSystem fs, Path data, RunRecord record)
          throws IOException {
        locations.find(fs, data, record);
        requireOutputs(fs, subject, data);
        fetch(fs, subject, data, results);
      }
    };
  }

  private Configuration clientOf(Subject subject, Setup setup, Path data) throws IOException {
    Configuration client = new Configuration(conf);
    client.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    client.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, subject.inputs().blockBytes());
    if (setup.mode() == Mode.WEIR) {
      InputHints.apply(
          client,
          subject.workflow(),
          data.toString(),
          new ClusterShape(nodes, setup.replication()),
          scratch.resolve("input-hints.json"));
    }
    return client;
  }

  /**
   * Uploads one file after another, because the duration is reported. A file of one block goes to
   * the same nodes in each run. All blocks of a larger file would go to those nodes too, and its
   * readers would share fewer links than in a real cluster; so the NameNode places these.
   */
  private static void upload(DistributedFileSystem fs, Subject subject, Path data)
      throws IOException {
    InputPlacement plan = InputPlacement.of(subject);
    new InputUpload(fs).upload(plan.placed(), subject.inputs().directory(), data);
    for (String id : plan.spread()) {
      fs.copyFromLocalFile(
          new Path(subject.inputs().directory().resolve(id).toUri()), new Path(data, id));
    }
  }

  /** Checks the outputs, because stand-ins do not check what they read or write. */
  private static void requireOutputs(DistributedFileSystem fs, Subject subject, Path data)
      throws IOException {
    for (DataFile output : subject.workflow().graph().finalOutputs()) {
      long length = length(fs, data, output);
      if (subject.programs().standIn() && length != output.sizeBytes()) {
        throw new WrongResultException(
            subject.name()
                + ": "
                + output.id()
                + " has "
                + length
                + " bytes instead of "
                + output.sizeBytes());
      }
    }
  }

  private static long length(DistributedFileSystem fs, Path data, DataFile output)
      throws IOException {
    try {
      return fs.getFileStatus(new Path(data, output.id())).getLen();
    } catch (FileNotFoundException e) {
      throw new WrongResultException("A run has succeeded without writing " + output.id());
    }
  }

  /**
   * Returns a plan with one worker on each node, which stays when it is idle. A released worker
   * would return late and cold, and in some setups only.
   */
  private WorkerPlan workers() {
    return WorkerPlan.DEFAULT.withPatience(WORKER_WAIT).elastic(nodes, WorkerPlan.IDLE_SECONDS);
  }

  private RunRecord submit(Subject subject, Setup setup, Path data)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(
                WorkerWarmUp.of(subject.workflow(), nodes, WorkerWarmUp.Commands.ZEROS),
                data.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .choices(setup.choices())
            .standIn(subject.programs().standIn())
            .environment(subject.programs().environment())
            .workers(workers())
            .build();
    return SuccessfulRun.of(conf, request, limit, subject.name() + ", " + setup.label());
  }

  private static void fetch(
      DistributedFileSystem fs, Subject subject, Path data, java.nio.file.Path results)
      throws IOException {
    for (String id : subject.results().ids()) {
      java.nio.file.Path target = results.resolve(id);
      Files.createDirectories(target.getParent());
      try (InputStream in = fs.open(new Path(data, id))) {
        Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (runs) {
      if (foreign != null) {
        foreign.close();
      }
    }
  }
}
