package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.staging.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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

  private final Deque<Runnable> later = new ArrayDeque<>();

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
            new KeptLogs.Local("w", logs, new LogRotation(logs, 2, Long.MAX_VALUE)),
            later::add);
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

  private void succeed(TaskOrder order) {
    kept.starting(order);
    kept.ended(order, report(order, TaskReport.Result.SUCCEEDED));
    kept.finished(order);
  }

  /** Returns all entries, each as {@code task.attempt.stream=text}. */
  private List<String> entries() throws IOException {
    List<String> entries = new ArrayList<>();
    for (int number = 1; Files.exists(run.resolve(OutputFile.name("w", number))); number++) {
      try (InputStream in = Files.newInputStream(run.resolve(OutputFile.name("w", number)))) {
        OutputFile.read(
            in,
            log -> true,
            (log, text) ->
                entries.add(
                    log.task() + "." + log.attempt() + "." + log.stream().label() + "=" + text));
      }
    }
    return entries;
  }

  @Test
  void endOfAFailedAttemptsOutputIsKeptAtOnce() throws IOException {
    TaskOrder order = order("t", 2);
    writeLogs(order, "x".repeat(100 * KIBI) + "end", "why");

    kept.ended(order, report(order, TaskReport.Result.FAILED));

    assertThat(later).isEmpty();
    assertThat(entries()).hasSize(2).contains("t.2.stderr=why");
    assertThat(entries().get(0))
        .startsWith("t.2.stdout=xxx")
        .endsWith("xend")
        .hasSize("t.2.stdout=".length() + 64 * KIBI);
  }

  @Test
  void outputsOfSuccessesAreWrittenTogetherLater() throws IOException {
    for (int i = 0; i < 3; i++) {
      writeLogs(order("t" + i, 1), "out" + i, i == 1 ? "warning" : "");
      succeed(order("t" + i, 1));
    }

    assertThat(entries()).isEmpty();
    assertThat(later).hasSize(1);
    later.remove().run();
    assertThat(entries())
        .containsExactly(
            "t0.1.stdout=out0", "t1.1.stdout=out1", "t1.1.stderr=warning", "t2.1.stdout=out2");

    writeLogs(order("t3", 1), "out3", "");
    succeed(order("t3", 1));
    later.remove().run();
    assertThat(entries()).hasSize(5).contains("t3.1.stdout=out3");
  }

  @Test
  void commandsThatPrintNothingCostNothing() {
    succeed(order("t", 1));

    assertThat(later).isEmpty();
    assertThat(run).isEmptyDirectory();
  }

  @Test
  void closingWritesWhatIsLeft() throws IOException {
    writeLogs(order("t", 1), "out", "");
    succeed(order("t", 1));

    kept.close();

    assertThat(entries()).containsExactly("t.1.stdout=out");
  }

  @Test
  void outputOfARunningCommandIsWrittenOnRequest() throws IOException {
    writeLogs(order("t", 1), "so far", "");
    kept.starting(order("t", 1));

    kept.requested("unknown");
    assertThat(entries()).isEmpty();
    kept.requested("t");
    assertThat(entries()).containsExactly("t.1.stdout=so far");

    writeLogs(order("t", 1), "all", "");
    succeed(order("t", 1));
    kept.requested("t");
    assertThat(entries()).containsExactly("t.1.stdout=so far", "t.1.stdout=all");
  }

  @Test
  void numberOfKeptFailuresIsBounded() throws IOException {
    for (int i = 0; i < 250; i++) {
      TaskOrder order = order("t" + i, 1);
      writeLogs(order, "", "why");
      kept.ended(order, report(order, TaskReport.Result.FAILED));
    }

    assertThat(entries()).hasSize(OutputAppender.MAX_FAILURES);
  }

  @Test
  void outputOfSuccessesIsBounded() throws IOException {
    for (int i = 0; i < 300; i++) {
      writeLogs(order("t" + i, 1), "x".repeat(64 * KIBI), "");
      succeed(order("t" + i, 1));
    }
    TaskOrder last = order("last", 1);
    writeLogs(last, "", "why");
    kept.ended(last, report(last, TaskReport.Result.FAILED));

    assertThat(entries()).hasSizeLessThan(260).contains("last.1.stderr=why");
  }

  @Test
  void firstOfManyWriteFailuresIsLogged() throws IOException {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Appender appender = appender(warnings);
    Logger log = Logger.getLogger(OutputAppender.class);
    log.addAppender(appender);
    try {
      Files.delete(run);
      failTwentyTasks("a");
      Files.createDirectory(run);
      TaskOrder order = order("kept", 1);
      writeLogs(order, "", "why");
      kept.ended(order, report(order, TaskReport.Result.FAILED));
      try (Stream<Path> files = Files.list(run)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(run);
      failTwentyTasks("b");
    } finally {
      log.removeAppender(appender);
    }

    assertThat(warnings)
        .satisfiesExactly(
            first -> assertThat(first).endsWith("output-w.1"),
            second -> assertThat(second).endsWith("output-w.21"));
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
  void removedDirectoryIsNotCreatedAgain() throws IOException {
    Files.delete(run);
    TaskOrder order = order("t", 1);
    writeLogs(order, "out", "err");

    kept.ended(order, report(order, TaskReport.Result.FAILED));

    assertThat(run).doesNotExist();
  }
}
