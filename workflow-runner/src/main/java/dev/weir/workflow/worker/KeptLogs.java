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
 * Keeps the end of commands' output in the run's directory in HDFS, for commands that failed and
 * for those that a user asks for. It is readable there during and after the run, even if the
 * cluster does not aggregate container logs.
 */
final class KeptLogs implements CommandOutput {

  private static final Logger LOG = LoggerFactory.getLogger(KeptLogs.class);
  private static final int MAX_BYTES = 64 << 10;

  /** A workflow in which every task fails must not fill the file system. */
  private static final int MAX_FAILURES = 200;

  /** Results after which the command's output helps to find the cause. */
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
  private final @Nullable LogRotation rotation;
  private final AtomicInteger failures = new AtomicInteger();

  /**
   * Whether the last log could not be kept; only the first of several failures in a row is logged
   * as a warning.
   */
  private final AtomicBoolean failing = new AtomicBoolean();

  /**
   * Directories of logs in HDFS.
   *
   * @param session directory for those of single jobs
   * @param runs contains a directory for each run, named like its graph
   */
  record Directories(org.apache.hadoop.fs.Path session, org.apache.hadoop.fs.Path runs) {

    org.apache.hadoop.fs.Path of(String task) {
      String graph = ScopedId.graph(task);
      return graph.isEmpty() ? session : new org.apache.hadoop.fs.Path(runs, graph);
    }
  }

  /**
   * Creates an instance.
   *
   * @param fs completes when the file system is open
   * @param directories in HDFS; a removed one is not created again
   * @param logs local directory of the commands' stdout and stderr
   * @param rotation deletes old local logs; null to keep all
   */
  KeptLogs(
      Future<? extends FileSystem> fs,
      Directories directories,
      Path logs,
      @Nullable LogRotation rotation) {
    this.opened = fs;
    this.directories = directories;
    this.logs = logs;
    this.rotation = rotation;
  }

  @Override
  public void starting(TaskOrder order) {
    if (rotation != null) {
      rotation.starting(order);
    }
  }

  @Override
  public void ended(TaskOrder order, TaskReport report) {
    if (PRINTED.contains(report.result()) && failures.incrementAndGet() <= MAX_FAILURES) {
      TaskLogs printed = TaskLogs.of(logs, order);
      keep(printed.stdout(), new KeptLog(order.task(), order.attempt(), Stream.STDOUT));
      keep(printed.stderr(), new KeptLog(order.task(), order.attempt(), Stream.STDERR));
    }
  }

  @Override
  public void finished(TaskOrder order) {
    if (rotation != null) {
      rotation.finished(order);
    }
  }

  @Override
  public void requested(String task) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(logs)) {
      for (Path file : files) {
        KeptLog log = TaskLogs.parse(task, file.getFileName().toString());
        if (log != null) {
          keep(file, log);
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot list the output of task {} in {}", task, logs, e);
    }
  }

  private void keep(Path file, KeptLog scoped) {
    org.apache.hadoop.fs.Path directory = directories.of(scoped.task());
    KeptLog log = new KeptLog(ScopedId.id(scoped.task()), scoped.attempt(), scoped.stream());
    try {
      if (!Files.exists(file) || Files.size(file) == 0) {
        return;
      }
      byte[] tail = TaskLogs.tail(file, MAX_BYTES);
      org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(directory, log.fileName());
      FileSystem fs = opened.get();
      // Renamed at the end, so readers see the whole log or nothing.
      org.apache.hadoop.fs.Path temporary =
          new org.apache.hadoop.fs.Path(directory, "." + log.fileName() + ".tmp");
      // Not recursive: a removed directory is not created again.
      try (OutputStream out = fs.createFile(temporary).overwrite(true).build()) {
        out.write(tail);
      }
      fs.delete(target, false);
      if (!fs.rename(temporary, target)) {
        throw new IOException("cannot rename " + temporary);
      }
      failing.set(false);
    } catch (IOException | ExecutionException e) {
      if (failing.compareAndSet(false, true)) {
        LOG.warn("Cannot keep {} of task {}", file, log.task(), e);
      } else {
        LOG.debug("Cannot keep {} of task {} either", file, log.task(), e);
      }
    } catch (InterruptedException e) {
      // The worker is shutting down.
      Thread.currentThread().interrupt();
    }
  }
}
