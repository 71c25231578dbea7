package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRotationTest {

  @TempDir private Path logs;

  private static TaskOrder order(String task) {
    return TaskOrders.labelled(task, 1, "abc.1-1");
  }

  private TaskOrder print(String task, int bytes) throws IOException {
    TaskOrder order = order(task);
    TaskLogs files = TaskLogs.of(logs, order);
    Files.writeString(files.stdout(), "x".repeat(bytes));
    Files.writeString(files.stderr(), "");
    return order;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void ofManyAttemptsTheLastAreKept() throws IOException {
    LogRotation rotation = new LogRotation(logs, 3, 1_000_000);
    TaskOrder running = print("running", 1);
    for (int i = 0; i < 10; i++) {
      rotation.finished(print("t" + i, 10));
    }
    Files.writeString(logs.resolve("stderr"), "the worker's own");

    assertThat(names())
        .containsExactly(
            "stderr",
            "task-running.abc.1-1.stderr",
            "task-running.abc.1-1.stdout",
            "task-t7.abc.1-1.stderr",
            "task-t7.abc.1-1.stdout",
            "task-t8.abc.1-1.stderr",
            "task-t8.abc.1-1.stdout",
            "task-t9.abc.1-1.stderr",
            "task-t9.abc.1-1.stdout");
    assertThat(TaskLogs.of(logs, running).stdout()).exists();
  }

  @Test
  void ofLongOnesThereAreFewer() throws IOException {
    LogRotation rotation = new LogRotation(logs, 100, 25);
    for (int i = 0; i < 5; i++) {
      rotation.finished(print("t" + i, 10));
    }

    assertThat(names())
        .containsExactly(
            "task-t3.abc.1-1.stderr",
            "task-t3.abc.1-1.stdout",
            "task-t4.abc.1-1.stderr",
            "task-t4.abc.1-1.stdout");
  }

  @Test
  void theNewestStaysHoweverLongItIs() throws IOException {
    LogRotation rotation = new LogRotation(logs, 100, 25);
    rotation.finished(print("short", 10));
    rotation.finished(print("long", 1_000));

    assertThat(names()).containsExactly("task-long.abc.1-1.stderr", "task-long.abc.1-1.stdout");
    rotation.finished(print("next", 10));
    assertThat(names()).containsExactly("task-next.abc.1-1.stderr", "task-next.abc.1-1.stdout");
  }

  @Test
  void anAttemptThatHasPrintedNothingAnywhereCountsForNone() throws IOException {
    LogRotation rotation = new LogRotation(logs, 1, 25);
    rotation.finished(print("t", 10));
    rotation.finished(order("recalled"));

    assertThat(names()).containsExactly("task-t.abc.1-1.stderr", "task-t.abc.1-1.stdout");
  }

  @Test
  void anIdThatIsUsedAgainHasTheLogsOfTheLaterAttempt() throws IOException {
    LogRotation rotation = new LogRotation(logs, 2, 1_000_000);
    rotation.finished(print("a", 10));
    rotation.finished(print("b", 10));

    TaskOrder again = print("a", 10);
    rotation.starting(again);
    rotation.finished(print("c", 10));
    rotation.finished(print("d", 10));
    assertThat(TaskLogs.of(logs, again).stdout()).as("it still runs").exists();
    rotation.finished(again);

    assertThat(names())
        .containsExactly(
            "task-a.abc.1-1.stderr",
            "task-a.abc.1-1.stdout",
            "task-d.abc.1-1.stderr",
            "task-d.abc.1-1.stdout");
  }
}
