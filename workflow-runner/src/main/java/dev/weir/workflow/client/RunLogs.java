package dev.weir.workflow.client;

import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.scheduler.Steering;
import dev.weir.workflow.scheduler.Steering.Action;
import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.KeptLog.Stream;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * Reads the output of a run's commands. The last 64 KB are kept for each attempt that failed, and
 * during the run for every attempt of a task whose worker is alive. Not thread-safe.
 */
public final class RunLogs {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 200;

  private final KnownRun run;
  private final Staging directory;
  private final Runs runs;

  RunLogs(KnownRun run, Staging directory, Runs runs) {
    this.run = run;
    this.directory = directory;
    this.runs = runs;
  }

  /**
   * Selects a log.
   *
   * @param task id of the task
   * @param attempt number of the attempt; empty for the last one that has printed something
   * @param stream standard output or standard error
   */
  public record Request(String task, OptionalInt attempt, Stream stream) {}

  /**
   * The output of an attempt.
   *
   * @param log the attempt and the stream
   * @param text the end of the output
   */
  public record Text(KeptLog log, String text) {}

  /**
   * Reads a log. During the run it first has the worker upload the latest output.
   *
   * @param request the log
   * @return the output
   * @throws SteeringException if the workflow has no such task, or its log is not kept; the message
   *     says where else to look
   * @throws IOException if the cluster does not answer
   * @throws InterruptedException if the thread is interrupted
   */
  public Text read(Request request) throws IOException, InterruptedException {
    RunView view = run.view();
    boolean live = !view.stage().isEnd();
    Map<KeptLog, Long> before = kept(request);
    Map<KeptLog, Long> now = before;
    if (live && (before.isEmpty() || isRunning(view, request.task()))) {
      requestLog(request.task());
      long end = System.nanoTime() + TIMEOUT.toNanos();
      while ((now.equals(before) || now.isEmpty()) && System.nanoTime() < end) {
        Thread.sleep(POLL_MILLIS);
        now = kept(request);
      }
    }
    if (now.isEmpty()) {
      throw notFound(request, live);
    }
    KeptLog last = Collections.max(now.keySet(), Comparator.comparingInt(KeptLog::attempt));
    try (InputStream in = runs.fs().open(new Path(directory.directory(), last.fileName()))) {
      return new Text(last, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static boolean isRunning(RunView view, String task) {
    RunProgress progress = view.progress();
    return progress != null && progress.running().contains(task);
  }

  private void requestLog(String task) throws IOException, InterruptedException {
    try {
      run.steer(Steering.of(Action.SHOW_LOG, task), TIMEOUT);
    } catch (SteeringException e) {
      if (e.kind() != Kind.NO_ANSWER && e.kind() != Kind.IMPOSSIBLE) {
        throw e;
      }
    }
  }

  /** Returns the logs in the run's directory, each with its modification time. */
  private Map<KeptLog, Long> kept(Request request) throws IOException {
    Map<KeptLog, Long> kept = new HashMap<>();
    for (FileStatus file : runs.fs().listStatus(directory.directory())) {
      KeptLog.parse(request.task(), file.getPath().getName())
          .filter(log -> log.stream() == request.stream())
          .filter(log -> request.attempt().orElse(log.attempt()) == log.attempt())
          .ifPresent(log -> kept.put(log, file.getModificationTime()));
    }
    return kept;
  }

  private SteeringException notFound(Request request, boolean live) throws IOException {
    if (!isTask(request.task())) {
      return new SteeringException(
          Kind.NOT_FOUND, "The workflow of " + run.id() + " has no task '" + request.task() + "'");
    }
    String text =
        live
            ? MissingLog.soFar(request, run.view())
            : MissingLog.atTheEnd(request, run.id().toString(), run.record());
    return new SteeringException(Kind.NOT_FOUND, text);
  }

  /** Of a session's jobs there is no plan, but a record. */
  private boolean isTask(String name) throws IOException {
    try {
      return run.plan().workflow().tasks().stream().anyMatch(task -> task.id().equals(name));
    } catch (FileNotFoundException e) {
      return run.record().stream()
          .flatMap(record -> record.tasks().stream())
          .anyMatch(attempt -> attempt.task().equals(name));
    }
  }
}
