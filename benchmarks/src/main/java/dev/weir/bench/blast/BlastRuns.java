package dev.weir.bench.blast;

import dev.weir.bench.blast.BlastSample.Staging;
import dev.weir.bench.real.InputHints;
import dev.weir.bench.series.Meter;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.SuccessfulRun;
import dev.weir.bench.series.Usage;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.Quiescence;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.run.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * Stages in, runs and stages out, from a client on none of the nodes. Not for several threads at
 * once.
 */
final class BlastRuns implements AutoCloseable {
  private static final Path DATA = new Path("/weir-bench/blast");

  private final LocalCluster cluster;
  private final Configuration conf;
  private final int nodes;
  private final Clock clock;

  /** What HDFS holds without any files. */
  private final long empty;

  private final String path;
  private final Quiescence quiescence;

  /**
   * On a running cluster.
   *
   * @param path where the tasks find their programs
   */
  BlastRuns(LocalCluster cluster, String path, Clock clock) throws IOException {
    this.cluster = cluster;
    this.clock = clock;
    this.empty = Meter.used(cluster);
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.path = path;
    this.quiescence = new Quiescence(cluster);
  }

  /**
   * What came of a run.
   *
   * @param staging how long the data's ways in and out took
   * @param record what the tasks did
   * @param usage what they used beside time
   */
  record Done(Staging staging, RunRecord record, Usage usage) {}

  /**
   * Makes a run and removes everything again.
   *
   * @param inputs local directory that holds them
   * @param results local directory that receives what the tasks found
   * @throws IOException when the run does not succeed; the message says why
   */
  Done run(
      Workflow workflow, Replicas replicas, java.nio.file.Path inputs, java.nio.file.Path results)
      throws IOException, InterruptedException {
    Files.createDirectories(results);
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, replicas.replication());
    if (replicas.hinted()) {
      InputHints.apply(
          own,
          workflow,
          DATA.toString(),
          new ClusterShape(nodes, replicas.replication()),
          results.resolve("hints.json"));
    }
    try (FileSystem fs = FileSystem.newInstance(own);
        Meter meter = new Meter(cluster, empty, clock)) {
      try {
        quiescence.await();
        double in = stageIn(workflow, fs, inputs);
        quiescence.await();
        RunRecord record = execute(workflow, replicas);
        quiescence.await();
        Usage usage = meter.since(Sample.begin(record));
        double out = stageOut(workflow, fs, results);
        return new Done(new Staging(in, out), record, usage);
      } finally {
        fs.delete(DATA, true);
        quiescence.await();
      }
    }
  }

  private static double stageIn(Workflow workflow, FileSystem fs, java.nio.file.Path inputs)
      throws IOException {
    long begin = System.nanoTime();
    for (DataFile input : workflow.graph().workflowInputs()) {
      fs.copyFromLocalFile(
          new Path(inputs.resolve(input.id()).toUri()), new Path(DATA, input.id()));
    }
    return secondsSince(begin);
  }

  private static double stageOut(Workflow workflow, FileSystem fs, java.nio.file.Path results)
      throws IOException {
    long begin = System.nanoTime();
    for (int i = 0; i < workflow.tasks().size(); i++) {
      String hits = BlastWorkflow.hits(i);
      try (var in = fs.open(new Path(DATA, hits))) {
        Files.copy(in, results.resolve(hits));
      }
    }
    return secondsSince(begin);
  }

  private static double secondsSince(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private RunRecord execute(Workflow workflow, Replicas replicas)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(workflow, DATA.toString())
            .mode(replicas.mode())
            .replication(replicas.replication())
            .environment(Map.of("PATH", path))
            .build();
    return SuccessfulRun.of(conf, request, replicas.label());
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
