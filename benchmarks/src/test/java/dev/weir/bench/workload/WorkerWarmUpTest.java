package dev.weir.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerWarmUpTest {
  private static final TaskNeeds NEEDS = new TaskNeeds(2, 100, 200);
  private static final Workflow WORK = work();

  private static Workflow work() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("in", new DataFile("in", 7));
    files.put("mid", new DataFile("mid", 8));
    files.put("out", new DataFile("out", 9, "broadcast=4"));
    List<String> command = List.of("cp", "in", "mid");
    return new Workflow(
        "w",
        List.of(
            new Task("a", "copy", command, List.of("in"), List.of("mid"), List.of(), 2.5, NEEDS),
            new Task("b", "copy", command, List.of("mid"), List.of("out"), 3)),
        files);
  }

  @Test
  void eachWorkerStoresAndReadsAFileFirst() {
    Workflow warmed = WorkerWarmUp.of(WORK, 3, WorkerWarmUp.Commands.ZEROS);

    List<Task> warming =
        warmed.tasks().stream().filter(task -> task.type().equals(WorkerWarmUp.TYPE)).toList();
    assertThat(warming).hasSize(3 + 3 + 1);
    assertThat(warming.stream().filter(task -> !task.outputs().isEmpty()))
        .as("store")
        .hasSize(3)
        .allMatch(task -> task.after().isEmpty());
    assertThat(warming.stream().filter(task -> task.after().size() == 3 && hasInput(task)))
        .as("read after all have stored")
        .hasSize(3);
  }

  private static boolean hasInput(Task task) {
    return !task.inputs().isEmpty();
  }

  @Test
  void eachWorkerReadsAndWritesInHdfsFirst() {
    Workflow warmed = WorkerWarmUp.of(WORK, 3, WorkerWarmUp.Commands.ZEROS);

    String input = "weir-warm-up-in";
    assertThat(warmed.graph().workflowInputs()).extracting(DataFile::id).contains("in", input);
    assertThat(warmed.tasks().stream().filter(task -> task.inputs().contains(input)))
        .hasSize(3)
        .allSatisfy(
            task ->
                assertThat(warmed.graph().finalOutputs())
                    .extracting(DataFile::id)
                    .containsAnyElementsOf(task.outputs()));
  }

  @Test
  void theInputIsWritten(@TempDir File directory) throws IOException {
    WorkerWarmUp.provide(local(), new Path(directory.toURI()));

    assertThat(new File(directory, "weir-warm-up-in")).hasSize(WorkerWarmUp.BYTES);
  }

  private static RawLocalFileSystem local() throws IOException {
    RawLocalFileSystem local = new RawLocalFileSystem();
    local.initialize(URI.create("file:///"), new Configuration(false));
    return local;
  }

  @Test
  void countedTasksWaitForOneGateAndAreUnchanged() {
    Workflow warmed = WorkerWarmUp.of(WORK, 3, WorkerWarmUp.Commands.ZEROS);

    Task first = warmed.graph().task("a");
    assertThat(warmed.graph().parents("a"))
        .as("not the warm-up tasks, during which Weir would copy inputs ahead")
        .singleElement()
        .satisfies(
            gate -> {
              assertThat(gate.type()).isEqualTo(WorkerWarmUp.TYPE);
              assertThat(gate.inputs()).isEmpty();
              assertThat(gate.after()).hasSize(3);
            });
    assertThat(first)
        .usingRecursiveComparison()
        .ignoringFields("after")
        .isEqualTo(WORK.tasks().get(0));
    assertThat(warmed.graph().task("b")).isEqualTo(WORK.tasks().get(1));
    assertThat(warmed.files()).containsAllEntriesOf(WORK.files());
  }
}
