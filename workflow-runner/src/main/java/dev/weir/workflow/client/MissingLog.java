package dev.weir.workflow.client;

import dev.weir.workflow.client.RunLogs.Request;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.Progress;
import dev.weir.workflow.staging.RunProgress;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** What is said of an attempt of whose output nothing is kept: as much as is known of it. */
final class MissingLog {

  private MissingLog() {}

  /** Of a run that goes on. */
  static String soFar(Request request, RunView view) {
    RunProgress progress = view.progress();
    Stream<Progress.Failed> failed =
        progress == null
            ? Stream.empty()
            : Stream.concat(
                progress.details().givenUp().first().stream(),
                progress.details().failures().stream());
    return failed
        .filter(attempt -> isMeant(request, attempt.task(), attempt.attempt()))
        .max(Comparator.comparingInt(Progress.Failed::attempt))
        .map(
            attempt ->
                what(request)
                    + failed(attempt.attempt(), attempt.node(), attempt.exitCode(), attempt.line()))
        .orElseGet(
            () -> what(request) + ": it printed none so far, has not begun, or its worker is gone");
  }

  /**
   * Of a run that has ended.
   *
   * @param run its id
   * @param record what it left; nothing when it left none
   */
  static String atTheEnd(Request request, String run, Optional<RunRecord> record) {
    if (record.isEmpty()) {
      return what(request) + ", and the run has left no record that would say what became of it";
    }
    return record.get().tasks().stream()
        .filter(attempt -> isMeant(request, attempt.task(), attempt.attempt()))
        .max(Comparator.comparingInt(TaskRecord::attempt))
        .map(attempt -> what(request) + became(attempt) + collected(run, attempt))
        .orElseGet(() -> what(request) + ": it was not begun in this run");
  }

  private static boolean isMeant(Request request, String task, int attempt) {
    return task.equals(request.task()) && request.attempt().orElse(attempt) == attempt;
  }

  private static String what(Request request) {
    return "No "
        + request.stream().label()
        + " of task '"
        + request.task()
        + "'"
        + (request.attempt().isPresent() ? ", attempt " + request.attempt().getAsInt() : "")
        + " is kept";
  }

  private static String became(TaskRecord attempt) {
    if (attempt.outcome() == Outcome.SUCCEEDED || attempt.outcome() == Outcome.CANCELLED) {
      return ": attempt " + attempt.attempt() + " did not fail";
    }
    return failed(attempt.attempt(), attempt.node(), attempt.exitCode(), attempt.message());
  }

  /** Of one that was lost nobody can say what it has printed. */
  private static String failed(int attempt, String node, int exitCode, String line) {
    return ". Attempt "
        + attempt
        + " failed or was lost on "
        + node
        + (exitCode < 0 ? "" : " with exit code " + exitCode)
        + (line.isEmpty() ? "" : ": " + line);
  }

  private static String collected(String run, TaskRecord attempt) {
    return ". If this cluster collects logs: yarn logs -applicationId "
        + run
        + " -containerId "
        + attempt.worker();
  }
}
