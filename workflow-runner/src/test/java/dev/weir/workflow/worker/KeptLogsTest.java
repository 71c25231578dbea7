package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.log4j.Appender;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptLogsTest {
  private static final int KIBI = 1024;

  @TempDir private Path temp;
  private Path run;
  private Path logs;
  private KeptLogs kept;

  @BeforeEach
  void make() throws IOException {
    run = Files.createDirectory(temp.resolve("run"));
    logs = Files.createDirectory(temp.resolve("logs"));
    RawLocalFileSystem fs = new RawLocalFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration(false));
    kept =
        new KeptLogs(
            CompletableFuture.completedFuture(fs),
            new KeptLogs.Directories(
                new org.apache.hadoop.fs.Path(run.toUri()),
                new org.apache.hadoop.fs.Path(temp.toUri())),
            logs,
            new LogRotation(logs, 2, Long.MAX_VALUE));
  }

  private static TaskOrder order(String task, int attempt) {
    return TaskOrders.labelled(task, attempt, "abc.1-1-" + attempt);
  }

  private void writeLogs(TaskOrder order, String out, String err) throws IOException {
    TaskLogs files = TaskLogs.of(logs, order);
    Files.writeString(files.stdout(), out);
    Files.writeString(files.stderr(), err);
  }

  private static TaskReport report(TaskOrder order, TaskReport.Result result) {
    return new TaskReport(
        order.task(),
        order.attempt(),
        result,
        1,
        "",
        "",
        List.of(),
        List.of(),
        TaskReport.Usage.NONE);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(run)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void endOfAFailedAttemptsOutputIsKept() throws IOException {
    TaskOrder order = order("t", 2);
    writeLogs(order, "x".repeat(100 * KIBI) + "end", "why");

    kept.ended(order, report(order, TaskReport.Result.FAILED));

    assertThat(names()).containsExactly("log-t.2.stderr", "log-t.2.stdout");
    assertThat(run.resolve("log-t.2.stdout")).hasSize(64 * KIBI);
    assertThat(Files.readString(run.resolve("log-t.2.stdout"))).endsWith("xend");
    assertThat(run.resolve("log-t.2.stderr")).hasContent("why");
  }

  @Test
  void outputOfASuccessIsKeptOnRequest() throws IOException {
    TaskOrder order = order("t", 1);
    writeLogs(order, "out", "");
    writeLogs(order("t.1", 1), "another task's", "");

    kept.ended(order, report(order, TaskReport.Result.SUCCEEDED));
    assertThat(names()).isEmpty();

    kept.requested("t");
    assertThat(names()).containsExactly("log-t.1.stdout");
    kept.requested("unknown");
    assertThat(names()).hasSize(1);
  }

  @Test
  void numberOfKeptLogsIsBounded() throws IOException {
    for (int i = 0; i < 250; i++) {
      TaskOrder order = order("t" + i, 1);
      writeLogs(order, "", "why");
      kept.ended(order, report(order, TaskReport.Result.FAILED));
    }

    assertThat(names()).hasSize(200);
  }

  @Test
  void firstOfManyWriteFailuresIsLogged() throws IOException {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Appender appender = appender(warnings);
    Logger log = Logger.getLogger(KeptLogs.class);
    log.addAppender(appender);
    try {
      Files.delete(run);
      failTwentyTasks("a");
      Files.createDirectory(run);
      TaskOrder order = order("kept", 1);
      writeLogs(order, "", "why");
      kept.ended(order, report(order, TaskReport.Result.FAILED));
      assertThat(names()).containsExactly("log-kept.1.stderr");
      Files.delete(run.resolve("log-kept.1.stderr"));
      Files.delete(run);
      failTwentyTasks("b");
    } finally {
      log.removeAppender(appender);
    }

    assertThat(warnings)
        .satisfiesExactly(
            first -> assertThat(first).contains("of task a0"),
            second -> assertThat(second).contains("of task b0"));
  }

  private void failTwentyTasks(String name) throws IOException {
    for (int i = 0; i < 20; i++) {
      TaskOrder order = order(name + i, 1);
      writeLogs(order, "out", "why");
      kept.ended(order, report(order, TaskReport.Result.FAILED));
    }
  }

  private static Appender appender(List<String> warnings) {
    return new AppenderSkeleton() {
      @Override
      protected void append(LoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
          warnings.add(event.getRenderedMessage());
        }
      }

      @Override
      public boolean requiresLayout() {
        return false;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void lastLogsOfASessionAreAvailableOnRequest() throws IOException {
    for (int i = 0; i < 4; i++) {
      TaskOrder order = order("t" + i, 1);
      writeLogs(order, "out", "");
      kept.ended(order, report(order, TaskReport.Result.SUCCEEDED));
      kept.finished(order);
    }

    kept.requested("t1");
    assertThat(names()).isEmpty();
    kept.requested("t2");
    assertThat(names()).containsExactly("log-t2.1.stdout");
  }

  @Test
  void removedDirectoryIsNotCreatedAgain() throws IOException {
    Files.delete(run);
    TaskOrder order = order("t", 1);
    writeLogs(order, "out", "err");

    kept.ended(order, report(order, TaskReport.Result.FAILED));

    assertThat(run).doesNotExist();
  }
}
