package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequentialRunTest {

  @TempDir private Path directory;
  private Path data = Path.of("");

  @BeforeEach
  void makeInput() throws Exception {
    data = Files.createDirectory(directory.resolve("data"));
    Files.writeString(data.resolve("in"), "word");
    Files.writeString(data.resolve("undeclared"), "");
  }

  @Test
  void taskSeesOnlyItsInputsAndLeavesOnlyItsOutputs() throws Exception {
    run("ls > out; cat in >> out; echo > scratch");
    assertThat(data.resolve("out")).hasContent("in\nout\nword");
    assertThat(data.resolve("scratch")).doesNotExist();
  }

  @Test
  void failedTaskIsReportedWithItsOutput() {
    assertThatThrownBy(() -> run("echo no luck; exit 3"))
        .isInstanceOf(IOException.class)
        .hasMessage("Task t exited with 3: sh -c echo no luck; exit 3\nno luck");
  }

  @Test
  void missingOutputFailsTheTask() {
    assertThatThrownBy(() -> run("true"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Task t exited with 0 but did not write out");
  }

  private void run(String script) throws IOException, InterruptedException {
    Task task = new Task("t", "sh", List.of("sh", "-c", script), List.of("in"), List.of("out"), 0);
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("in", new DataFile("in", 4));
    files.put("out", new DataFile("out", 4));
    new SequentialRun(data, directory.resolve("boxes"), System.getenv())
        .run(new Workflow("w", List.of(task), files), started -> {});
  }
}
