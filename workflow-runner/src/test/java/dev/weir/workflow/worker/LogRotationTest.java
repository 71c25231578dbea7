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

  private TaskOrder writeLogs(String task, int bytes) throws IOException {
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
  void lastAttemptsAreKept() throws IOException {
    LogRotation rotation = new LogRotation(logs, 3, 1_000_000);
    TaskOrder running = writeLogs("running", 1);
    for (int i = 0; i < 10; i++) {
      rotation.finished(writeLogs("t" + i, 10));
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
  void fewerLongLogsAreKept() throws IOException {
    LogRotation rotation = new LogRotation(logs, 100, 25);
    for (int i = 0; i < 5; i++) {
      rotation.finished(writeLogs("t" + i, 10));
    }

    assertThat(names())
        .containsExactly(
            "task-t3.abc.1-1.stderr",
            "task-t3.abc.1-1.stdout",
            "task-t4.abc.1-1.stderr",
            "task-t4.abc.1-1.stdout");
  }

  @Test
  void newestLogIsKeptDespiteItsLength() throws IOException {
    LogRotation rotation = new LogRotation(logs, 100, 25);
    rotation.finished(writeLogs("short", 10));
    rotation.finished(writeLogs("long", 1_000));

    assertThat(names()).containsExactly("task-long.abc.1-1.stderr", "task-long.abc.1-1.stdout");
    rotation.finished(writeLogs("next", 10));
    assertThat(names()).containsExactly("task-next.abc.1-1.stderr", "task-next.abc.1-1.stdout");
  }

  @Test
  void attemptWithoutOutputIsNotCounted() throws IOException {
    LogRotation rotation = new LogRotation(logs, 1, 25);
    rotation.finished(writeLogs("t", 10));
    rotation.finished(order("recalled"));

    assertThat(names()).containsExactly("task-t.abc.1-1.stderr", "task-t.abc.1-1.stdout");
  }

  @Test
  void reusedIdHasTheLogsOfTheLaterAttempt() throws IOException {
    LogRotation rotation = new LogRotation(logs, 2, 1_000_000);
    rotation.finished(writeLogs("a", 10));
    rotation.finished(writeLogs("b", 10));

    TaskOrder again = writeLogs("a", 10);
    rotation.starting(again);
    rotation.finished(writeLogs("c", 10));
    rotation.finished(writeLogs("d", 10));
    assertThat(TaskLogs.of(logs, again).stdout()).as("the later attempt still runs").exists();
    rotation.finished(again);

    assertThat(names())
        .containsExactly(
            "task-a.abc.1-1.stderr",
            "task-a.abc.1-1.stdout",
            "task-d.abc.1-1.stderr",
            "task-d.abc.1-1.stdout");
  }
}
