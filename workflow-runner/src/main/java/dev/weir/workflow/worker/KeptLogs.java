package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.ScopedId;
import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.KeptLog.Stream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the end of what commands printed in the run's directory in HDFS: of those that failed, and
 * of those that somebody asks for. There it can be read while the run goes on and afterwards,
 * whether the cluster collects its containers' logs or not.
 */
final class KeptLogs implements CommandOutput {

  private static final Logger LOG = LoggerFactory.getLogger(KeptLogs.class);
  private static final int MOST_BYTES = 64 << 10;

  /** A workflow in which everything fails must not fill the file system. */
  private static final int MOST_FAILURES = 200;

  /** Ends after which somebody will want to read what the command had printed. */
  private static final Set<TaskReport.Result> PRINTED =
      EnumSet.of(
          TaskReport.Result.FAILED,
          TaskReport.Result.REFUSED,
          TaskReport.Result.MEMORY_EXCEEDED,
          TaskReport.Result.NODE_UNFIT,
          TaskReport.Result.COMMAND_LOST,
          TaskReport.Result.INFRASTRUCTURE);

  private final Future<? extends FileSystem> opened;
  private final Directories directories;
  private final Path logs;
  private final @Nullable LogRotation last;
  private final AtomicInteger failures = new AtomicInteger();

  /** Whether the last one could not be kept: of many in a row the first is told. */
  private final AtomicBoolean refused = new AtomicBoolean();

  /**
   * Where logs are kept in HDFS.
   *
   * @param session directory for those of single jobs
   * @param runs has a directory for each run, of the name of its graph
   */
  record Directories(org.apache.hadoop.fs.Path session, org.apache.hadoop.fs.Path runs) {

    org.apache.hadoop.fs.Path of(String task) {
      String graph = ScopedId.graph(task);
      return graph.isEmpty() ? session : new org.apache.hadoop.fs.Path(runs, graph);
    }
  }

  /**
   * Keeps logs.
   *
   * @param fs the file system, as soon as it is open
   * @param directories in HDFS; none is made again when somebody has removed it
   * @param logs where the commands' stdout and stderr are on this machine
   * @param last which of these stay; null when all do
   */
  KeptLogs(
      Future<? extends FileSystem> fs,
      Directories directories,
      Path logs,
      @Nullable LogRotation last) {
    this.opened = fs;
    this.directories = directories;
    this.logs = logs;
    this.last = last;
  }

  @Override
  public void begins(TaskOrder order) {
    if (last != null) {
      last.begins(order);
    }
  }

  @Override
  public void ended(TaskOrder order, TaskReport report) {
    if (PRINTED.contains(report.result()) && failures.incrementAndGet() <= MOST_FAILURES) {
      TaskLogs printed = TaskLogs.of(logs, order);
      keep(printed.stdout(), new KeptLog(order.task(), order.attempt(), Stream.STDOUT));
      keep(printed.stderr(), new KeptLog(order.task(), order.attempt(), Stream.STDERR));
    }
  }

  @Override
  public void over(TaskOrder order) {
    if (last != null) {
      last.over(order);
    }
  }

  @Override
  public void wanted(String task) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(logs)) {
      for (Path file : files) {
        KeptLog log = TaskLogs.parse(task, file.getFileName().toString());
        if (log != null) {
          keep(file, log);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot look for what task {} has printed in {}", task, logs, e);
    }
  }

  private void keep(Path file, KeptLog scoped) {
    org.apache.hadoop.fs.Path directory = directories.of(scoped.task());
    KeptLog as = new KeptLog(ScopedId.id(scoped.task()), scoped.attempt(), scoped.stream());
    try {
      if (!Files.exists(file) || Files.size(file) == 0) {
        return;
      }
      byte[] tail = TaskLogs.tail(file, MOST_BYTES);
      org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(directory, as.fileName());
      FileSystem fs = opened.get();
      // Readers see all of it or nothing.
      org.apache.hadoop.fs.Path temporary =
          new org.apache.hadoop.fs.Path(directory, "." + as.fileName() + ".tmp");
      // Not recursive: a directory that is gone stays gone.
      try (OutputStream out = fs.createFile(temporary).overwrite(true).build()) {
        out.write(tail);
      }
      fs.delete(target, false);
      if (!fs.rename(temporary, target)) {
        throw new IOException("cannot rename " + temporary);
      }
      refused.set(false);
    } catch (IOException | ExecutionException e) {
      if (refused.compareAndSet(false, true)) {
        LOG.warn("Cannot keep {} of task {}", file, as.task(), e);
      } else {
        LOG.debug("Cannot keep {} of task {} either", file, as.task(), e);
      }
    } catch (InterruptedException e) {
      // The worker ends.
      Thread.currentThread().interrupt();
    }
  }
}
