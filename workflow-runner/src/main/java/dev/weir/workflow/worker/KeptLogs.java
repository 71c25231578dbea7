package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.KeptLog.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the end of commands' output in the run's directory in HDFS. It is readable there during and
 * after the run, even if the cluster does not aggregate container logs. Output of failed attempts
 * is written before their report; that of others a moment later and together, so that tasks do not
 * wait for it.
 */
final class KeptLogs implements CommandOutput, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KeptLogs.class);
  private static final int MAX_BYTES = 64 << 10;

  /** Results after which the command's output helps to find the cause. */
  private static final Set<TaskReport.Result> PRINTED =
      EnumSet.of(
          TaskReport.Result.FAILED,
          TaskReport.Result.REFUSED,
          TaskReport.Result.MEMORY_EXCEEDED,
          TaskReport.Result.NODE_UNFIT,
          TaskReport.Result.INFRASTRUCTURE);

  private final Future<? extends FileSystem> fs;
  private final Directories directories;
  private final Local local;
  private final Consumer<Runnable> later;

  /** By graph; the empty one has the single jobs. */
  private final Map<String, OutputAppender> files = new ConcurrentHashMap<>();

  private final Map<AttemptKey, TaskOrder> running = new ConcurrentHashMap<>();

  /**
   * Directories of logs in HDFS.
   *
   * @param session directory for those of single jobs
   * @param runs contains a directory for each run, named like its graph
   */
  record Directories(org.apache.hadoop.fs.Path session, org.apache.hadoop.fs.Path runs) {

    org.apache.hadoop.fs.Path of(String graph) {
      return graph.isEmpty() ? session : new org.apache.hadoop.fs.Path(runs, graph);
    }
  }

  /**
   * The logs on this machine.
   *
   * @param logs directory of the commands' stdout and stderr
   * @param rotation deletes old logs; null to keep all
   */
  record Local(String worker, Path logs, @Nullable LogRotation rotation) {}

  /**
   * Creates an instance.
   *
   * @param fs completes when the file system is open
   * @param directories in HDFS; a removed one is not created again
   * @param later runs work a moment later, on another thread
   */
  KeptLogs(
      Future<? extends FileSystem> fs,
      Directories directories,
      Local local,
      Consumer<Runnable> later) {
    this.fs = fs;
    this.directories = directories;
    this.local = local;
    this.later = later;
  }

  @Override
  public void starting(TaskOrder order) {
    running.put(AttemptKey.of(order), order);
    if (local.rotation() != null) {
      local.rotation().starting(order);
    }
  }

  @Override
  public void ended(TaskOrder order, TaskReport report) {
    if (PRINTED.contains(report.result())) {
      OutputAppender file = file(order);
      if (file.admitsFailure()) {
        add(file, order);
        file.flush();
      }
    } else if (report.result() == TaskReport.Result.SUCCEEDED && hasPrinted(order)) {
      OutputAppender file = file(order);
      if (file.admitsSuccess()) {
        add(file, order);
        file.flushLater(later);
      }
    }
  }

  @Override
  public void finished(TaskOrder order) {
    running.remove(AttemptKey.of(order));
    if (local.rotation() != null) {
      local.rotation().finished(order);
    }
  }

  @Override
  public void requested(String task) {
    running.values().stream()
        .filter(order -> order.task().equals(task))
        .forEach(order -> add(file(order), order));
    OutputAppender file = files.get(ScopedId.graph(task));
    if (file != null) {
      file.flush();
    }
  }

  /** Writes what is not written yet. */
  @Override
  public void close() {
    files.values().forEach(OutputAppender::flush);
  }

  private OutputAppender file(TaskOrder order) {
    return files.computeIfAbsent(
        ScopedId.graph(order.task()),
        graph -> new OutputAppender(fs, directories.of(graph), local.worker()));
  }

  private boolean hasPrinted(TaskOrder order) {
    TaskLogs printed = TaskLogs.of(local.logs(), order);
    return printed.stdout().toFile().length() > 0 || printed.stderr().toFile().length() > 0;
  }

  private void add(OutputAppender file, TaskOrder order) {
    TaskLogs printed = TaskLogs.of(local.logs(), order);
    add(file, order, Stream.STDOUT, printed.stdout());
    add(file, order, Stream.STDERR, printed.stderr());
  }

  private static void add(OutputAppender file, TaskOrder order, Stream stream, Path log) {
    try {
      if (log.toFile().length() > 0) {
        file.add(
            new KeptLog(ScopedId.id(order.task()), order.attempt(), stream),
            TaskLogs.tail(log, MAX_BYTES));
      }
    } catch (IOException e) {
      LOG.warn("Cannot read {}", log, e);
    }
  }
}
