package dev.weir.workflow.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskSandboxTest {

  @TempDir private Path temp;

  private TaskSandbox sandbox(Task task) throws IOException {
    return new TaskSandbox(
        FileSystem.getLocal(new Configuration(false)),
        temp.resolve("data").toString(),
        "run_1",
        task,
        Map.of("TOOL", "it's 2", "PASSWORD", TaskSecrets.reference("PASSWORD")));
  }

  @Test
  void scriptRunsTheCommandWithItsInputsAndVariables() throws Exception {
    Files.createDirectories(temp.resolve("data/d"));
    Files.writeString(temp.resolve("data/d/whole"), "whole");
    Files.writeString(temp.resolve("data/part"), "0123456789");
    Task task =
        new Task(
            "t",
            "t",
            List.of(
                "sh", "-c", "cat d/whole part@2+3; echo \"$TOOL $WEIR_TASK ${PASSWORD-unset}\""),
            List.of("d/whole", "part@2+3"),
            List.of("made/out"),
            1);

    Path work = sandbox(task).create(temp.resolve("here"));

    assertThat(work).isEqualTo(temp.resolve("here/work"));
    assertThat(work.resolve("made")).isDirectory();
    Process run =
        new ProcessBuilder(temp.resolve("here/run.sh").toString())
            .directory(temp.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(run.getInputStream().readAllBytes(), UTF_8))
        .isEqualTo("whole234it's 2 t unset\n");
    assertThat(run.waitFor()).isZero();
  }

  @Test
  void missingInputIsNamed() {
    Task task = new Task("t", "t", List.of("true"), List.of("gone"), List.of(), 1);

    assertThatExceptionOfType(FileNotFoundException.class)
        .isThrownBy(() -> sandbox(task).create(temp.resolve("here")))
        .withMessage("gone");
  }
}
