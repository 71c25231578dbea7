package dev.weir.bench.patterns;

import dev.weir.bench.measure.MeasuredRuns;
import dev.weir.bench.measure.SuccessfulRun;
import dev.weir.bench.measure.WarmUpRuns;
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
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
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

  private final Configuration conf;
  private final @Nullable OutsideServer backEnd;
  private final java.nio.file.Path scratch;
  private final Conditions conditions;
  private final MeasuredRuns runs;

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
    this.conf = cluster.configuration();
    this.backEnd = backEnd;
    this.scratch = scratch;
    this.conditions = conditions;
    this.runs = new MeasuredRuns(cluster, clock);
  }

  /**
   * The conditions of all runs.
   *
   * @param limit the longest duration of a run
   * @param withholdSizes whether the sizes of files are withheld
   */
  record Conditions(Duration limit, boolean withholdSizes) {}

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
    runs.startMeasuring();
  }

  /**
   * Creates the inputs, waits until the cluster is idle, runs, checks the results of the first
   * repetition, and removes all files. The next run waits until that is finished.
   *
   * @throws WrongResultException if the results are wrong
   * @throws IOException if the run fails, or a node had no worker
   */
  MeasuredRuns.Measured run(Experiment experiment, Setup setup, int repeat)
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
    runs.close();
  }
}
