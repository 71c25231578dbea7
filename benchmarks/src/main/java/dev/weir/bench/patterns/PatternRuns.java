package dev.weir.bench.patterns;

import dev.weir.bench.series.Meter;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.SuccessfulRun;
import dev.weir.bench.series.Usage;
import dev.weir.cluster.InputUpload;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.Quiescence;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.WorkerPlan;
import java.io.IOException;
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
  private static final Path DATA = new Path("/weir-bench/run");

  /** On few cores many workers take long to start; what they do is measured, not that. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final LocalCluster cluster;
  private final Configuration conf;
  private final Quiescence quiescence;
  private final @Nullable BackEnd backEnd;
  private final java.nio.file.Path scratch;
  private final Clock clock;

  /** What HDFS holds without any files. */
  private final long empty;

  /**
   * On a running cluster.
   *
   * @param backEnd where inputs come from and outputs go to; null when they are in HDFS
   * @param scratch a local directory for inputs
   */
  PatternRuns(
      LocalCluster cluster, @Nullable BackEnd backEnd, java.nio.file.Path scratch, Clock clock)
      throws IOException {
    this.cluster = cluster;
    this.empty = Meter.used(cluster);
    this.conf = cluster.configuration();
    this.quiescence = new Quiescence(cluster);
    this.backEnd = backEnd;
    this.scratch = scratch;
    this.clock = clock;
  }

  /**
   * What came of a run.
   *
   * @param record what the tasks did
   */
  record Done(Sample sample, RunRecord record) {}

  /**
   * Provides the inputs, waits for rest, runs, checks the results the first time, and removes
   * everything again.
   *
   * @throws IOException when the run does not succeed, or its results are wrong
   */
  Done run(Experiment experiment, Setup setup, int repeat)
      throws IOException, InterruptedException {
    String url = backEnd == null ? "" : backEnd.url();
    Workflow workflow = new PatternWorkflow(experiment, setup, url).workflow();
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(own);
        Meter meter = new Meter(cluster, empty, clock)) {
      try {
        provide(experiment, workflow, fs);
        quiescence.await();
        RunRecord run = execute(workflow, setup);
        quiescence.await();
        Usage usage = meter.since(Sample.begin(run));
        if (repeat == 1) {
          check(experiment, setup, fs);
        }
        return new Done(Sample.of(setup, repeat, run, PatternWorkflow.STAGING, usage), run);
      } finally {
        fs.delete(DATA, true);
        if (backEnd != null) {
          backEnd.clear();
        }
        quiescence.await();
      }
    }
  }

  private void provide(Experiment experiment, Workflow workflow, DistributedFileSystem fs)
      throws IOException {
    if (backEnd != null) {
      Workflow plain = new PatternWorkflow(experiment, Setup.WEIR, "").workflow();
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
      new InputUpload(fs).upload(inputs.stream().map(DataFile::id).toList(), local, DATA);
    } finally {
      FileUtils.deleteDirectory(local.toFile());
    }
  }

  /** Whether the results are what they should be, to the last byte. */
  private void check(Experiment experiment, Setup setup, DistributedFileSystem fs)
      throws IOException {
    Workflow plain = new PatternWorkflow(experiment, setup, "").workflow();
    for (DataFile output : plain.graph().finalOutputs()) {
      if (backEnd != null) {
        backEnd.require(output.id(), output.sizeBytes());
      }
      Contents.requireWhole(output.id(), output.sizeBytes(), fs.open(new Path(DATA, output.id())));
    }
  }

  private RunRecord execute(Workflow workflow, Setup setup)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(workflow, DATA.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .workers(WorkerPlan.DEFAULT.withPatience(PATIENCE))
            .build();
    return SuccessfulRun.of(conf, request, setup.label());
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
