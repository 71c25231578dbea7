package dev.weir.workflow.client;

import dev.weir.hints.Suggestion;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.KeptLog.Stream;
import dev.weir.workflow.staging.OutputFile;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/** Reads the output of a run's commands: the last 64 KB of each attempt. Not thread-safe. */
public final class RunLogs {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** Workers write the output of successful commands within this time. */
  private static final Duration WRITTEN = Duration.ofSeconds(10);

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
   * @param attempt number of the attempt; empty for the last one that has printed something
   * @param streams standard output, standard error or both
   */
  public record Request(String task, OptionalInt attempt, Set<Stream> streams) {}

  /**
   * The output of an attempt.
   *
   * @param log the attempt and the stream
   * @param text the end of the output
   */
  public record Text(KeptLog log, String text) {}

  /**
   * Reads what the last attempt that matches has printed. During the run it first has the worker
   * write the latest output.
   *
   * @return one or two streams, standard output first
   * @throws SteeringException if the workflow has no such task, or its log is not kept; the message
   *     says where else to look
   */
  public List<Text> read(Request request) throws IOException, InterruptedException {
    RunView view = run.view();
    boolean live = !view.stage().isEnd();
    Search search = new Search(request, live ? Set.of() : workers(request.task()));
    search.look();
    int before = search.entries;
    boolean asked = live && (before == 0 || isRunning(view, request.task()));
    if (asked) {
      requestLog(request.task());
    }
    if (asked || (before == 0 && hasJustEnded(view))) {
      long end = System.nanoTime() + TIMEOUT.toNanos();
      while (search.entries == before && System.nanoTime() < end) {
        Thread.sleep(POLL_MILLIS);
        search.look();
      }
    }
    if (search.found.isEmpty()) {
      throw notFound(request, live);
    }
    int last = search.found.keySet().stream().mapToInt(KeptLog::attempt).max().orElseThrow();
    return search.found.entrySet().stream()
        .filter(log -> log.getKey().attempt() == last)
        .map(log -> new Text(log.getKey(), log.getValue()))
        .sorted(Comparator.comparing(text -> text.log().stream()))
        .toList();
  }

  /** Returns the workers that the record names for a task; empty if it names none. */
  private Set<String> workers(String task) throws IOException {
    return run.record().stream()
        .flatMap(record -> record.tasks().stream())
        .filter(attempt -> attempt.task().equals(task))
        .map(TaskRecord::worker)
        .collect(Collectors.toSet());
  }

  /** Whether workers may not have written all output yet. */
  private boolean hasJustEnded(RunView view) {
    RunSummary.End end = view.summary().end();
    return end != null
        && Duration.between(Instant.parse(end.ended()), runs.clock().instant()).compareTo(WRITTEN)
            < 0;
  }

  /** A search in the files of the workers. Files that have grown are read again. */
  private final class Search {

    private final Request request;
    private final Set<String> workers;
    private final Map<String, Long> lengths = new HashMap<>();
    private final Map<KeptLog, String> found = new HashMap<>();
    private int entries;

    /**
     * Creates a search.
     *
     * @param workers whose files are read; empty for all
     */
    Search(Request request, Set<String> workers) {
      this.request = request;
      this.workers = workers;
    }

    private boolean isWanted(String file) {
      return workers.isEmpty()
          ? file.startsWith(OutputFile.PREFIX)
          : workers.stream().anyMatch(worker -> OutputFile.isOf(file, worker));
    }

    void look() throws IOException {
      for (FileStatus file : runs.fs().listStatus(directory.directory())) {
        String name = file.getPath().getName();
        Long length = file.getLen();
        if (isWanted(name) && !length.equals(lengths.put(name, length))) {
          read(file.getPath());
        }
      }
    }

    private void read(Path file) throws IOException {
      try (InputStream in = runs.fs().open(file)) {
        OutputFile.read(
            in,
            log ->
                log.task().equals(request.task())
                    && request.streams().contains(log.stream())
                    && request.attempt().orElse(log.attempt()) == log.attempt(),
            (log, text) -> {
              found.put(log, text);
              entries++;
            });
      }
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

  private SteeringException notFound(Request request, boolean live) throws IOException {
    if (!isTask(request.task())) {
      return new SteeringException(
          Kind.NOT_FOUND,
          "The workflow of %s has no task '%s'%s: see 'weir logs %s'"
              .formatted(
                  run.id(),
                  request.task(),
                  Suggestion.question(request.task(), tasks()),
                  run.id()));
    }
    String text =
        live
            ? MissingLog.soFar(request, run.view())
            : MissingLog.atTheEnd(request, run.id().toString(), run.record());
    return new SteeringException(Kind.NOT_FOUND, text);
  }

  private boolean isTask(String name) throws IOException {
    return tasks().contains(name);
  }

  /** Of a session's jobs there is no plan, but a record. */
  private Set<String> tasks() throws IOException {
    try {
      return run.plan().workflow().tasks().stream().map(Task::id).collect(Collectors.toSet());
    } catch (FileNotFoundException e) {
      return run.record().stream()
          .flatMap(record -> record.tasks().stream())
          .map(TaskRecord::task)
          .collect(Collectors.toSet());
    }
  }
}
