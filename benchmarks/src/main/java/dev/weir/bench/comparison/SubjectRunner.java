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
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.WorkerPlan;
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

/** Runs subjects one after another, so that each starts alike. Not for several threads at once. */
final class SubjectRunner implements AutoCloseable {

  private final LocalCluster cluster;
  private final Configuration conf;
  private final int nodes;
  private final Clock clock;

  /** What HDFS holds without any files of a run. */
  private long empty;

  /** Of a run. */
  private Path data = RunPaths.of(0);

  private int runs;

  private final Conditions conditions;
  private final java.nio.file.Path scratch;
  private final ClusterQuiescence quiescence;

  /**
   * What all runs have.
   *
   * @param workers one on each node
   * @param limit how long a run may take
   */
  record Conditions(WorkerPlan workers, Duration limit) {}

  /**
   * On a running cluster.
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
   * What came of a run.
   *
   * @param record what the tasks did
   * @param usage what it used beside time
   * @param steps what it took of the machine's time; bringing the inputs into HDFS comes first
   */
  record Done(RunRecord record, RunUsage usage, RunSteps steps) {}

  /** Has what HDFS holds now, when all is at rest, count for nothing. */
  void beginToCount() throws IOException, InterruptedException {
    quiescence.await();
    empty = ClusterMeter.usedAtRest(cluster);
  }

  /**
   * Uploads the inputs, waits for rest, runs, fetches the results, and has everything removed
   * again, for the rest of which the next run waits. With everything on, the inputs have the
   * replicas that follow from the workflow.
   *
   * @param results local directory that receives the results
   * @throws WrongResultException when a file that the workflow makes is not there, or not as long
   *     as a stand-in makes it
   * @throws IOException when the run does not succeed, or not with a worker on each node; the
   *     message says why
   */
  Done run(Subject subject, Setup setup, java.nio.file.Path results)
      throws IOException, InterruptedException {
    data = RunPaths.of(++runs);
    quiescence.await();
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(client(subject, setup));
        ClusterMeter meter = new ClusterMeter(cluster, empty, clock)) {
      try {
        // By what earlier runs have taught, of others too, tasks are begun a second time.
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
   * One file after another, for it is told how long it takes. What is one block goes to the same
   * nodes in each run; the blocks of a larger file would all go there too, and its readers meet at
   * fewer links than in any real cluster, so for these the NameNode chooses.
   */
  private void stageIn(DistributedFileSystem fs, Subject subject) throws IOException {
    InputPlacement plan = InputPlacement.of(subject);
    new InputUpload(fs).upload(plan.placed(), subject.inputs().directory(), data);
    for (String id : plan.spread()) {
      fs.copyFromLocalFile(
          new Path(subject.inputs().directory().resolve(id).toUri()), new Path(data, id));
    }
  }

  /** Stand-ins check nothing of what they read or write. */
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
      throw new WrongResultException("A run has succeeded and not made " + output.id());
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
