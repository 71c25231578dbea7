package dev.weir.bench.real;

import dev.weir.bench.series.Meter;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.SuccessfulRun;
import dev.weir.bench.series.Usage;
import dev.weir.cluster.InputUpload;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.Quiescence;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.run.Mode;
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

  /** What HDFS holds without any files. */
  private final long empty;

  private final WorkerPlan workers;
  private final java.nio.file.Path scratch;
  private final Quiescence quiescence;

  /**
   * On a running cluster.
   *
   * @param workers what workers runs have
   * @param scratch a local directory for small files
   */
  SubjectRuns(LocalCluster cluster, WorkerPlan workers, java.nio.file.Path scratch, Clock clock)
      throws IOException {
    this.cluster = cluster;
    this.clock = clock;
    this.empty = Meter.used(cluster);
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.workers = workers;
    this.scratch = scratch;
    this.quiescence = new Quiescence(cluster);
  }

  /**
   * What came of a run.
   *
   * @param stageInSeconds how long bringing the inputs into HDFS took
   * @param record what the tasks did
   * @param usage what it used beside time
   */
  record Done(double stageInSeconds, RunRecord record, Usage usage) {}

  /**
   * Uploads the inputs, waits for rest, runs, fetches the results, and removes everything again.
   * With everything on, the inputs have the replicas that follow from the workflow.
   *
   * @param results local directory that receives the results
   * @throws IOException when the run does not succeed; the message says why
   */
  Done run(Subject subject, Setup setup, java.nio.file.Path results)
      throws IOException, InterruptedException {
    try (DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(client(subject, setup));
        Meter meter = new Meter(cluster, empty, clock)) {
      try {
        double stageIn = stageIn(fs, subject);
        quiescence.await();
        RunRecord record = execute(subject, setup);
        quiescence.await();
        Usage usage = meter.since(Sample.begin(record));
        fetch(fs, subject, results);
        return new Done(stageIn, record, usage);
      } finally {
        fs.delete(DATA, true);
        quiescence.await();
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

  private static double stageIn(DistributedFileSystem fs, Subject subject) throws IOException {
    long begin = System.nanoTime();
    new InputUpload(fs)
        .upload(
            subject.workflow().graph().workflowInputs().stream().map(DataFile::id).toList(),
            subject.inputs(),
            DATA);
    return (System.nanoTime() - begin) / 1e9;
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
