package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.Effect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reports of workers, for tests. */
final class Reports {
  private Reports() {}

  static TaskReport succeeded(Effect.Start start, String node, long bytes) {
    List<StoredFile> outputs =
        start.outputs().stream()
            .map(name -> new StoredFile(name, bytes, Map.of(node, bytes)))
            .toList();
    return report(start, Result.SUCCEEDED, 0, List.of(), outputs);
  }

  static TaskReport succeeded(Effect.Start start, Set<String> nodes) {
    Map<String, Long> places = new HashMap<>();
    nodes.forEach(node -> places.put(node, 1L));
    List<StoredFile> outputs =
        start.outputs().stream().map(name -> new StoredFile(name, 1, places)).toList();
    return report(start, Result.SUCCEEDED, 0, List.of(), outputs);
  }

  static TaskReport failed(Effect.Start start, int exitCode) {
    return report(start, Result.FAILED, exitCode, List.of(), List.of());
  }

  static TaskReport refused(Effect.Start start) {
    return report(start, Result.REFUSED, 0, List.of(), List.of());
  }

  static TaskReport memoryExceeded(Effect.Start start) {
    return report(start, Result.MEMORY_EXCEEDED, 137, List.of(), List.of());
  }

  static TaskReport nodeUnfit(Effect.Start start) {
    return report(start, Result.NODE_UNFIT, TaskReport.NO_EXIT_CODE, List.of(), List.of());
  }

  static TaskReport infrastructure(Effect.Start start) {
    return report(start, Result.INFRASTRUCTURE, 0, List.of(), List.of());
  }

  /** The same report with this run time in milliseconds. */
  static TaskReport took(TaskReport report, long millis) {
    return new TaskReport(
        report.task(),
        report.attempt(),
        report.result(),
        report.exitCode(),
        report.message(),
        report.outputTail(),
        report.lostInputs(),
        report.outputs(),
        new Usage(0, 0, millis, 0, 0, 0, 0, 0));
  }

  static TaskReport inputLost(Effect.Start start, String... files) {
    return report(start, Result.INPUT_LOST, TaskReport.NO_EXIT_CODE, List.of(files), List.of());
  }

  static TaskReport inputUnreadable(Effect.Start start, String... files) {
    return report(
        start, Result.INPUT_UNREADABLE, TaskReport.NO_EXIT_CODE, List.of(files), List.of());
  }

  static TaskReport recalled(Effect.Start start) {
    return TaskReport.recalled(start.task(), start.attempt());
  }

  private static TaskReport report(
      Effect.Start start,
      Result result,
      int exitCode,
      List<String> lost,
      List<StoredFile> outputs) {
    return new TaskReport(
        start.task(),
        start.attempt(),
        result,
        exitCode,
        result == Result.SUCCEEDED ? "" : result + " on purpose",
        "the end of stderr",
        lost,
        outputs,
        Usage.NONE);
  }
}
