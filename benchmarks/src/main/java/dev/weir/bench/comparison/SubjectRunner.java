package dev.weir.bench.comparison;

import dev.weir.bench.measure.ClusterMeter;
import dev.weir.bench.measure.StepTimer;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.measure.WorkerCheck;
import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RunPaths;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.WrongResultException;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.cluster.experiment.InputUpload;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Runs subjects one after another under the same conditions. Not thread-safe. */
final class SubjectRunner implements AutoCloseable {

  private final LocalCluster cluster;
  private final Configuration conf;
  private final int nodes;
  private final Clock clock;

  /** The bytes in HDFS without any files of a run. */
  private long empty;

  /** The directory of the current run. */
  private Path data = RunPaths.of(0);

  private int runs;

  private final Conditions conditions;
  private final java.nio.file.Path scratch;
  private final ClusterQuiescence quiescence;

  /**
   * The conditions of all runs.
   *
   * @param workers one on each node
   * @param limit the longest duration of a run
   */
  record Conditions(WorkerPlan workers, Duration limit) {}

  /**
   * Creates a runner on a running cluster.
   *
   * @param scratch a local directory for small files
   */
  SubjectRunner(
      LocalCluster cluster, Conditions conditions, java.nio.file.Path scratch, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.conditions = conditions;
    this.scratch = scratch;
    this.quiescence = new ClusterQuiescence(cluster);
  }

  /**
   * The result of a run.
   *
   * @param record the record of the tasks
   * @param usage the resources that it used
   * @param steps the duration of its steps, with the upload of inputs first
   */
  record Done(RunRecord record, RunUsage usage, RunSteps steps) {}

  /** Takes the bytes in HDFS of the idle cluster as the base of later measurements. */
  void beginToCount() throws IOException, InterruptedException {
    quiescence.await();
    empty = ClusterMeter.usedAtRest(cluster);
  }

  /**
   * Uploads the inputs, waits until the cluster is idle, runs, downloads the results, and removes
   * all files. The next run waits until that is finished. With all of Weir, the inputs have the
   * replicas that the workflow implies.
   *
   * @param results local directory that receives the results
   * @throws WrongResultException if an output is missing, or has not the length that a stand-in
   *     writes
   * @throws IOException if the run fails, or a node had no worker; the message says why
   */
  Done run(Subject subject, Setup setup, java.nio.file.Path results)
      throws IOException, InterruptedException {
    data = RunPaths.of(++runs);
    quiescence.await();
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(client(subject, setup));
        ClusterMeter meter = new ClusterMeter(cluster, empty, clock)) {
      try {
        // Recorded task times of earlier runs, of other subjects too, would cause speculative
        // attempts.
        RunDirectories.own(fs).forgetRuns();
        StepTimer laps = StepTimer.begin();
        stageIn(fs, subject);
        double provide = laps.next();
        quiescence.await();
        double rest = laps.next();
        RunRecord record = execute(subject, setup);
        double run = laps.next();
        WorkerCheck.require(record, nodes);
        quiescence.await();
        RunUsage usage = meter.since(CountedTasks.of(record).begin());
        double settle = laps.next();
        requireOutputs(fs, subject);
        fetch(fs, subject, results);
        double fetch = laps.next();
        fs.delete(data, true);
        return new Done(
            record, usage, new RunSteps(provide, rest, run, settle, fetch, laps.next()));
      } finally {
        fs.delete(data, true);
      }
    }
  }

  private Configuration client(Subject subject, Setup setup) throws IOException {
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    own.setLong(HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, subject.inputs().blockBytes());
    if (setup.mode() == Mode.WEIR) {
      InputHints.apply(
          own,
          subject.workflow(),
          data.toString(),
          new ClusterShape(nodes, setup.replication()),
          scratch.resolve("input-hints.json"));
    }
    return own;
  }

  /**
   * Uploads one file after another, because the duration is reported. A file of one block goes to
   * the same nodes in each run. All blocks of a larger file would go to those nodes too, and its
   * readers would share fewer links than in a real cluster; so the NameNode places these.
   */
  private void stageIn(DistributedFileSystem fs, Subject subject) throws IOException {
    InputPlacement plan = InputPlacement.of(subject);
    new InputUpload(fs).upload(plan.placed(), subject.inputs().directory(), data);
    for (String id : plan.spread()) {
      fs.copyFromLocalFile(
          new Path(subject.inputs().directory().resolve(id).toUri()), new Path(data, id));
    }
  }

  /** Checks the outputs, because stand-ins do not check what they read or write. */
  private void requireOutputs(DistributedFileSystem fs, Subject subject) throws IOException {
    for (DataFile output : subject.workflow().graph().finalOutputs()) {
      long length = length(fs, output);
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

  private long length(DistributedFileSystem fs, DataFile output) throws IOException {
    try {
      return fs.getFileStatus(new Path(data, output.id())).getLen();
    } catch (FileNotFoundException e) {
      throw new WrongResultException("A run has succeeded without writing " + output.id());
    }
  }

  private RunRecord execute(Subject subject, Setup setup) throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(
                WorkerWarmUp.of(subject.workflow(), nodes, WorkerWarmUp.Commands.ZEROS),
                data.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .standIn(subject.programs().standIn())
            .environment(subject.programs().environment())
            .workers(conditions.workers())
            .build();
    return SuccessfulRun.of(
        conf, request, conditions.limit(), subject.name() + ", " + setup.label());
  }

  private void fetch(DistributedFileSystem fs, Subject subject, java.nio.file.Path results)
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
  public void close() {
    quiescence.close();
  }
}
