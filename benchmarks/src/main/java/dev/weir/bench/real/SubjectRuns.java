package dev.weir.bench.real;

import dev.weir.bench.series.Attendance;
import dev.weir.bench.series.Laps;
import dev.weir.bench.series.Meter;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.Steps;
import dev.weir.bench.series.SuccessfulRun;
import dev.weir.bench.series.Usage;
import dev.weir.cluster.InputUpload;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.Quiescence;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.run.Mode;
import dev.weir.workflow.run.RunDirectories;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.WorkerPlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Runs subjects one after another, so that each starts alike. Not for several threads at once. */
final class SubjectRuns implements AutoCloseable {
  private static final Path DATA = new Path("/weir-bench/real");

  private final LocalCluster cluster;
  private final Configuration conf;
  private final int nodes;
  private final Clock clock;

  /** What HDFS holds without any files of a run. */
  private long empty;

  private final WorkerPlan workers;
  private final java.nio.file.Path scratch;
  private final Quiescence quiescence;

  /**
   * On a running cluster.
   *
   * @param workers what workers runs have
   * @param scratch a local directory for small files
   */
  SubjectRuns(LocalCluster cluster, WorkerPlan workers, java.nio.file.Path scratch, Clock clock) {
    this.cluster = cluster;
    this.clock = clock;
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.workers = workers;
    this.scratch = scratch;
    this.quiescence = new Quiescence(cluster);
  }

  /**
   * What came of a run.
   *
   * @param record what the tasks did
   * @param usage what it used beside time
   * @param steps what it took of the machine's time; bringing the inputs into HDFS comes first
   */
  record Done(RunRecord record, Usage usage, Steps steps) {}

  /** Has what HDFS holds now, when all is at rest, count for nothing. */
  void beginToCount() throws IOException, InterruptedException {
    quiescence.await();
    empty = Meter.usedAtRest(cluster);
  }

  /**
   * Uploads the inputs, waits for rest, runs, fetches the results, and has everything removed
   * again, for the rest of which the next run waits. With everything on, the inputs have the
   * replicas that follow from the workflow.
   *
   * @param results local directory that receives the results
   * @throws IOException when the run does not succeed, or not with a worker on each node; the
   *     message says why
   */
  Done run(Subject subject, Setup setup, java.nio.file.Path results)
      throws IOException, InterruptedException {
    quiescence.await();
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(client(subject, setup));
        Meter meter = new Meter(cluster, empty, clock)) {
      try {
        // By what earlier runs have taught, of others too, tasks are begun a second time.
        RunDirectories.own(fs).forgetRuns();
        Laps laps = Laps.begin();
        stageIn(fs, subject);
        double provide = laps.next();
        quiescence.await();
        double rest = laps.next();
        RunRecord record = execute(subject, setup);
        double run = laps.next();
        Attendance.require(record, nodes);
        quiescence.await();
        Usage usage = meter.since(Sample.begin(record));
        double settle = laps.next();
        fetch(fs, subject, results);
        double fetch = laps.next();
        fs.delete(DATA, true);
        return new Done(record, usage, new Steps(provide, rest, run, settle, fetch, laps.next()));
      } finally {
        fs.delete(DATA, true);
      }
    }
  }

  private Configuration client(Subject subject, Setup setup) throws IOException {
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    if (setup.mode() == Mode.WEIR) {
      InputHints.apply(
          own,
          subject.workflow(),
          DATA.toString(),
          new ClusterShape(nodes, setup.replication()),
          scratch.resolve("input-hints.json"));
    }
    return own;
  }

  /** One file after another, for it is told how long it takes. */
  private static void stageIn(DistributedFileSystem fs, Subject subject) throws IOException {
    new InputUpload(fs)
        .upload(
            subject.workflow().graph().workflowInputs().stream().map(DataFile::id).toList(),
            subject.inputs(),
            DATA);
  }

  private RunRecord execute(Subject subject, Setup setup) throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(subject.workflow(), DATA.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .standIn(subject.programs().standIn())
            .environment(subject.programs().environment())
            .workers(workers)
            .build();
    return SuccessfulRun.of(conf, request, subject.name() + ", " + setup.label());
  }

  private static void fetch(DistributedFileSystem fs, Subject subject, java.nio.file.Path results)
      throws IOException {
    for (String id : subject.results().ids()) {
      java.nio.file.Path target = results.resolve(id);
      Files.createDirectories(target.getParent());
      try (InputStream in = fs.open(new Path(DATA, id))) {
        Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
