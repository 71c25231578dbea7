package dev.weir.workflow.client;

import dev.weir.workflow.client.RunLogs.Request;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.staging.RunProgress;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Explains why the log of an attempt is not available. */
final class MissingLog {

  private MissingLog() {}

  /** Explains it for a run that continues. */
  static String soFar(Request request, RunView view) {
    RunProgress progress = view.progress();
    Stream<Progress.Failed> failed =
        progress == null
            ? Stream.empty()
            : Stream.concat(
                progress.details().givenUp().first().stream(),
                progress.details().failures().stream());
    return failed
        .filter(attempt -> matches(request, attempt.task(), attempt.attempt()))
        .max(Comparator.comparingInt(Progress.Failed::attempt))
        .map(
            attempt ->
                subject(request)
                    + failed(attempt.attempt(), attempt.node(), attempt.exitCode(), attempt.line()))
        .orElseGet(
            () ->
                subject(request)
                    + ": it has printed nothing so far, has not started, or its worker is gone");
  }

  /**
   * Explains it for a run that has ended.
   *
   * @param record its record; empty if there is none
   */
  static String atTheEnd(Request request, String run, Optional<RunRecord> record) {
    if (record.isEmpty()) {
      return subject(request) + ", and the run left no record";
    }
    return record.get().tasks().stream()
        .filter(attempt -> matches(request, attempt.task(), attempt.attempt()))
        .max(Comparator.comparingInt(TaskRecord::attempt))
        .map(attempt -> subject(request) + outcome(attempt) + collected(run, attempt))
        .orElseGet(() -> subject(request) + ": it was not started in this run");
  }

  private static boolean matches(Request request, String task, int attempt) {
    return task.equals(request.task()) && request.attempt().orElse(attempt) == attempt;
  }

  private static String subject(Request request) {
    return "No "
        + (request.streams().size() == 1 ? request.streams().iterator().next().label() : "output")
        + " of task '"
        + request.task()
        + "'"
        + (request.attempt().isPresent() ? ", attempt " + request.attempt().getAsInt() : "")
        + " is kept";
  }

  private static String outcome(TaskRecord attempt) {
    if (attempt.outcome() == Outcome.SUCCEEDED) {
      return ": attempt "
          + attempt.attempt()
          + " succeeded and printed nothing, or its worker"
          + " had reached the limit of kept output";
    }
    if (attempt.outcome() == Outcome.CANCELLED) {
      return ": attempt " + attempt.attempt() + " was cancelled";
    }
    return failed(attempt.attempt(), attempt.node(), attempt.exitCode(), attempt.message());
  }

  /** Describes an attempt that failed. The output of a lost attempt is unknown. */
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
