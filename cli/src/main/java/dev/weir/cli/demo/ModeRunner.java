package dev.weir.cli.demo;

import dev.weir.cli.run.FailureText;
import dev.weir.cli.run.ProgressDisplay;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.cluster.experiment.InputUpload;
import dev.weir.montage.MontageWorkflow;
import dev.weir.workflow.client.RunHandle;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunnerJars;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Runs workflows on the cluster of the demo, one after another. Each starts from the same state:
 * the same replicas of the inputs, no files of earlier runs in HDFS, an idle cluster.
 */
final class ModeRunner implements AutoCloseable {

  private static final Path ROOT = new Path("/weir-demo");

  private final DistributedFileSystem fs;
  private final WorkflowRunner runner;
  private final ClusterQuiescence quiescence;
  private final boolean standIn;
  private final Map<String, String> environment;
  private final DemoConsole console;

  ModeRunner(
      LocalCluster cluster, boolean standIn, Map<String, String> environment, DemoConsole console)
      throws IOException {
    Configuration conf = cluster.configuration();
    this.fs = (DistributedFileSystem) FileSystem.newInstance(conf);
    this.runner = new WorkflowRunner(conf, RunnerJars.ofThisProcess());
    this.quiescence = new ClusterQuiescence(cluster);
    this.standIn = standIn;
    this.environment = Map.copyOf(environment);
    this.console = console;
  }

  /**
   * Uploads, runs, fetches the results and deletes everything again.
   *
   * @param inputs the directory with the inputs of the workflow
   * @param results receives the mosaic and its picture, unless stand-ins run
   * @return the record of a run that succeeded
   * @throws IOException if the run fails; the message names the task and the reason
   */
  RunRecord run(Workflow workflow, Mode mode, java.nio.file.Path inputs, java.nio.file.Path results)
      throws IOException, InterruptedException {
    Path data = new Path(ROOT, mode.label());
    List<String> names = workflow.graph().workflowInputs().stream().map(DataFile::id).toList();
    new InputUpload(fs).upload(names, inputs, data);
    quiescence.await();
    RunRecord run = execute(workflow, mode, data);
    Files.createDirectories(results);
    if (!standIn) {
      fetch(new Path(data, MontageWorkflow.MOSAIC), results);
      fetch(new Path(data, MontageWorkflow.PICTURE), results);
    }
    fs.delete(data, true);
    quiescence.await();
    return run;
  }

  private RunRecord execute(Workflow workflow, Mode mode, Path data)
      throws IOException, InterruptedException {
    RunRequest request =
        RunRequest.builder(workflow, data.toString())
            .mode(mode)
            .standIn(standIn)
            .environment(environment)
            .build();
    try (RunHandle handle = runner.submit(request)) {
      ProgressDisplay display = console.runProgress();
      RunRecord run = handle.await(display);
      display.clear();
      if (run.state() != RunState.SUCCEEDED) {
        throw new IOException(
            handle
                .failure()
                .map(failure -> FailureText.of(failure, handle.id()))
                .orElse("The run " + handle.id() + " failed and does not say why"));
      }
      return run;
    }
  }

  private void fetch(Path from, java.nio.file.Path directory) throws IOException {
    try (var in = fs.open(from)) {
      Files.copy(in, directory.resolve(from.getName()));
    }
  }

  @Override
  public void close() throws IOException {
    quiescence.close();
    fs.close();
  }
}
