package dev.weir.workflow.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskLogsTest {

  private static final String LABEL = ".application_1234567890123_123456-1-12.stdout";

  @Test
  void logNamesFitIntoADirectoryForAnyTaskId() {
    for (String letter : new String[] {"a", "\u6f22", "\ud840\udc00"}) {
      for (int letters = 30; letters < 120; letters++) {
        String task = letter.repeat(letters);
        String name = "task-" + TaskLogs.shortName(task) + LABEL;

        assertThat(name.getBytes(UTF_8).length).as(task).isLessThanOrEqualTo(255);
        assertThat(new String(name.getBytes(UTF_8), UTF_8))
            .as("no truncated character")
            .isEqualTo(name);
      }
    }
  }

  private static TaskLogs logs(Path directory, String out, String err) throws IOException {
    TaskLogs logs = new TaskLogs(directory.resolve("out"), directory.resolve("err"));
    Files.writeString(logs.stdout(), out);
    Files.writeString(logs.stderr(), err);
    return logs;
  }

  @Test
  void tailHasTheLastLinesOfStderrOrElseOfStdout(@TempDir Path directory) throws IOException {
    String lines = "line\n".repeat(60);

    assertThat(logs(directory, "out\n", "first\n" + lines).outputTail().lines())
        .hasSize(50)
        .containsOnly("line");
    assertThat(logs(directory, "why\n", " \n").outputTail()).isEqualTo("why");
    assertThat(logs(directory, "", "").outputTail()).isEmpty();
    assertThat(logs(directory, "", "cut " + "x".repeat(9_000) + "\nlast").outputTail())
        .isEqualTo("last");
  }

  @Test
  void longStdoutIsCutWithANote(@TempDir Path directory) throws IOException {
    assertThat(logs(directory, "hello\n", "").stdoutUpTo(6)).isEqualTo("hello\n");
    assertThat(logs(directory, "hello\n", "").stdoutUpTo(3)).isEqualTo("[3 bytes left out]\nlo\n");
  }
}
