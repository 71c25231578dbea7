package dev.weir.bench.patterns;

import dev.weir.cluster.InputUpload;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.Quiescence;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.RunHandle;
import dev.weir.workflow.run.RunRequest;
import dev.weir.workflow.run.RunnerJars;
import dev.weir.workflow.run.WorkflowRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/** Runs workflows one after another, so that each starts alike. Not for several threads at once. */
final class PatternRuns implements AutoCloseable {
  private static final Path DATA = new Path("/weir-bench/run");

  private final Configuration conf;
  private final Quiescence quiescence;
  private final java.nio.file.Path scratch;

  /**
   * On a running cluster.
   *
   * @param scratch a local directory for inputs
   */
  PatternRuns(LocalCluster cluster, java.nio.file.Path scratch) {
    this.conf = cluster.configuration();
    this.quiescence = new Quiescence(cluster);
    this.scratch = scratch;
  }

  /**
   * Uploads the inputs, waits for rest, runs, and removes everything again.
   *
   * @throws IOException when the run does not succeed; the message says why
   */
  RunRecord run(Workflow workflow, Setup setup) throws IOException, InterruptedException {
    Configuration own = new Configuration(conf);
    own.setInt(HdfsClientConfigKeys.DFS_REPLICATION_KEY, setup.replication());
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(own)) {
      try {
        upload(workflow, fs);
        quiescence.await();
        return execute(workflow, setup);
      } finally {
        fs.delete(DATA, true);
        quiescence.await();
      }
    }
  }

  private void upload(Workflow workflow, DistributedFileSystem fs) throws IOException {
    java.nio.file.Path local = Files.createTempDirectory(scratch, "inputs-");
    try {
      List<DataFile> inputs = workflow.graph().workflowInputs();
      for (DataFile input : inputs) {
        LocalRun.makeFile(local.resolve(input.id()), input.sizeBytes());
      }
      new InputUpload(fs).upload(inputs.stream().map(DataFile::id).toList(), local, DATA);
    } finally {
      FileUtils.deleteDirectory(local.toFile());
    }
  }

  private RunRecord execute(Workflow workflow, Setup setup)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(workflow, DATA.toString())
            .mode(setup.mode())
            .replication(setup.replication())
            .build();
    try (RunHandle handle = new WorkflowRunner(conf, RunnerJars.ofThisProcess()).submit(request)) {
      RunRecord run = handle.await(progress -> {});
      if (run.state() != RunState.SUCCEEDED) {
        throw new IOException(
            setup.label()
                + ": the run failed: "
                + handle.failure().map(Object::toString).orElse("?"));
      }
      return run;
    }
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
