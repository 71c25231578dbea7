package dev.weir.bench.blast;

import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.InputHints;
import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.MostReadFile;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Stages in, runs and stages out, from a client on none of the nodes. Not thread-safe. */
final class BlastRuns implements AutoCloseable {

  private final Configuration conf;
  private final int nodes;
  private final String path;
  private final Duration limit;
  private final MeasuredRuns runs;

  /**
   * Creates the runs on a running cluster.
   *
   * @param path the {@code PATH} of the tasks
   * @param limit the longest duration of a run
   */
  BlastRuns(LocalCluster cluster, String path, Clock clock, Duration limit) {
    this.conf = cluster.configuration();
    this.nodes = cluster.nodes().size();
    this.path = path;
    this.limit = limit;
    this.runs = new MeasuredRuns(cluster, clock);
  }

  /**
   * The result of a run.
   *
   * @param replicas of the database
   */
  record Done(MeasuredRuns.Measured measured, int replicas) {}

  /** Takes the bytes in HDFS of the idle cluster as the base of later measurements. */
  void startMeasuring() throws IOException, InterruptedException {
    runs.startMeasuring();
  }

  /**
   * Makes a run and removes its files. The next run waits for the removal.
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
    Files.createDirectories(results);
    Search search = new Search(workflow, replicas, inputs, results);
    MeasuredRuns.Measured measured = runs.measure(search);
    return new Done(measured, search.replicaCount);
  }

  /** The steps of a run. */
  private final class Search implements MeasuredRuns.Run {
    private final Workflow workflow;
    private final ReplicaSetting replicas;
    private final java.nio.file.Path inputs;
    private final java.nio.file.Path results;
    private int replicaCount;

    Search(
        Workflow workflow,
        ReplicaSetting replicas,
        java.nio.file.Path inputs,
        java.nio.file.Path results) {
      this.workflow = workflow;
      this.replicas = replicas;
      this.inputs = inputs;
      this.results = results;
    }

    @Override
    public Configuration client(Path data) throws IOException {
      Configuration client = new Configuration(conf);
      client.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, replicas.replication());
      if (replicas.hinted()) {
        InputHints.apply(
            client,
            workflow,
            data.toString(),
            new ClusterShape(nodes, replicas.replication()),
            results.resolve("hints.json"));
      }
      return client;
    }

    @Override
    public void stageIn(DistributedFileSystem fs, Path data) throws IOException {
      for (DataFile input : workflow.graph().workflowInputs()) {
        fs.copyFromLocalFile(
            new Path(inputs.resolve(input.id()).toUri()), new Path(data, input.id()));
      }
    }

    @Override
    public RunRecord execute(Path data) throws IOException, InterruptedException {
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
    public void stageOut(DistributedFileSystem fs, Path data, RunRecord record) throws IOException {
      replicaCount = MostReadFile.replicas(fs, data, workflow, record);
      for (int i = 0; i < workflow.tasks().size(); i++) {
        String hits = BlastWorkflow.hits(i);
        try (var in = fs.open(new Path(data, hits))) {
          Files.copy(in, results.resolve(hits));
        }
      }
    }
  }

  @Override
  public void close() {
    runs.close();
  }
}
