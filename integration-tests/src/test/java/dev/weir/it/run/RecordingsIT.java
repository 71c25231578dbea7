package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.hints.GivenFiles;
import dev.weir.it.ClusterExtension;
import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs published recordings of workflows, with stand-ins for their programs, scaled down in bytes
 * and seconds. They are not part of this project; {@code -Dweir.recordings=DIR} names their
 * directory.
 */
@Tag("nightly")
@ExtendWith(ClusterExtension.class)
class RecordingsIT {

  private static final double MAX_BYTES = 20e6;
  private static final double MAX_SECONDS = 10;

  @Test
  void eachRecordingSucceeds(LocalCluster cluster) throws Exception {
    List<Path> recordings = GivenFiles.of("weir.recordings", ".json");
    try (ClusterRuns runs = new ClusterRuns(cluster, "recordings")) {
      for (Path file : recordings) {
        String name = String.valueOf(file.getFileName()).replace(".json", "");
        Workflow workflow = scaled(Importers.standard().read(file, ImportSettings.NONE).workflow());
        runs.put(name, inputs(workflow));

        try (LiveRun run = runs.start(runs.standIns(workflow, name, 4))) {
          RunRecord record = run.end();

          assertThat(record.state()).as(name + run.failure()).isEqualTo(RunState.SUCCEEDED);
          assertThat(done(record)).as(name).hasSize(workflow.tasks().size());
        }
        for (DataFile output : workflow.graph().finalOutputs()) {
          String path = runs.path(name, output.id());
          assertThat(runs.files().fs().getFileStatus(new org.apache.hadoop.fs.Path(path)).getLen())
              .as(path)
              .isEqualTo(output.sizeBytes());
        }
      }
    }
  }

  private static List<String> done(RunRecord record) {
    return record.tasks().stream()
        .filter(task -> task.outcome() == Outcome.SUCCEEDED)
        .map(TaskRecord::task)
        .distinct()
        .toList();
  }

  private static Map<String, byte[]> inputs(Workflow workflow) {
    Map<String, byte[]> inputs = new HashMap<>();
    for (DataFile input : workflow.graph().workflowInputs()) {
      inputs.put(input.id(), new byte[(int) input.sizeBytes()]);
    }
    return inputs;
  }

  private static Workflow scaled(Workflow workflow) {
    double bytes = workflow.files().values().stream().mapToDouble(DataFile::sizeBytes).sum();
    double seconds = workflow.tasks().stream().mapToDouble(Task::runtimeSeconds).sum();
    double factor = Math.min(1, MAX_BYTES / Math.max(1, bytes));
    double timeFactor = Math.min(1, MAX_SECONDS / Math.max(1, seconds));
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (DataFile file : workflow.files().values()) {
      files.put(file.id(), new DataFile(file.id(), Math.round(file.sizeBytes() * factor)));
    }
    List<Task> tasks = workflow.tasks().stream().map(task -> scaledTask(task, timeFactor)).toList();
    return new Workflow(workflow.name(), tasks, files);
  }

  private static Task scaledTask(Task task, double timeFactor) {
    return new Task(
        task.id(),
        task.type(),
        task.command(),
        task.inputs(),
        task.outputs(),
        task.after(),
        task.runtimeSeconds() * timeFactor,
        task.needs());
  }
}
