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
 * What the commands of a run printed, as far as it is kept: the last 64 KB of each attempt that
 * failed, and while the run goes on of every attempt at a task whose worker is still there. One
 * thread at a time.
 */
public final class RunLogs {

  private static final Duration PATIENCE = Duration.ofSeconds(5);
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
   * What is wanted.
   *
   * @param task id of the task
   * @param attempt number of the attempt; empty for the last one that has printed something
   * @param stream which of the two
   */
  public record Request(String task, OptionalInt attempt, Stream stream) {}

  /**
   * What was printed.
   *
   * @param log which attempt's it is
   * @param text the end of it
   */
  public record Text(KeptLog log, String text) {}

  /**
   * Reads a log. Of a run that goes on it asks the workers first.
   *
   * @param request what is wanted
   * @return what was printed
   * @throws SteeringException when the workflow has no such task, or nothing of it is kept; the
   *     message says where else to look
   * @throws IOException when the cluster cannot be asked
   * @throws InterruptedException when the thread is interrupted
   */
  public Text read(Request request) throws IOException, InterruptedException {
    RunView view = run.view();
    boolean live = !view.stage().isEnd();
    Map<KeptLog, Long> before = kept(request);
    Map<KeptLog, Long> now = before;
    if (live && (before.isEmpty() || isRunning(view, request.task()))) {
      ask(request.task());
      long end = System.nanoTime() + PATIENCE.toNanos();
      while ((now.equals(before) || now.isEmpty()) && System.nanoTime() < end) {
        Thread.sleep(POLL_MILLIS);
        now = kept(request);
      }
    }
    if (now.isEmpty()) {
      throw nothing(request, live);
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

  private void ask(String task) throws IOException, InterruptedException {
    try {
      run.steer(Steering.of(Action.SHOW_LOG, task), PATIENCE);
    } catch (SteeringException e) {
      if (e.kind() != Kind.AWAY && e.kind() != Kind.IMPOSSIBLE) {
        throw e;
      }
    }
  }

  /** The logs that are there, each with the time when it was written. */
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

  private SteeringException nothing(Request request, boolean live) throws IOException {
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
