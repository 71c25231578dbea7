package dev.weir.bench.report;

import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.FailedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The failures and retries in the runs of a setup, which times do not show: tables omit failed
 * runs, and include runs with retried tasks.
 *
 * @param failedRuns the number of failures of runs
 * @param extra attempts of tasks beyond the first, as retries or speculation
 * @param failed attempts that failed, or were lost with their worker
 * @param cancelled attempts that were cancelled because another one succeeded
 */
public record FailureCounts(int failedRuns, int extra, int failed, int cancelled) {
  public static final FailureCounts NONE = new FailureCounts(0, 0, 0, 0);

  /**
   * Returns the counts of a group.
   *
   * @return by the labels of setups; zeros for a setup without runs or failures
   */
  public static Map<String, FailureCounts> of(RecordedSeries<RecordedRun> kept, String group) {
    Map<String, FailureCounts> all = new TreeMap<>();
    for (FailedRun run : kept.failed(group)) {
      all.merge(run.id().setup(), new FailureCounts(1, 0, 0, 0), FailureCounts::plus);
    }
    for (RecordedRun run : kept.runs(group)) {
      all.merge(
          run.id().setup(), of(CountedTasks.of(run.record()).attempts()), FailureCounts::plus);
    }
    return all;
  }

  static FailureCounts of(List<TaskRecord> attempts) {
    long tasks = attempts.stream().map(TaskRecord::task).distinct().count();
    return new FailureCounts(
        0,
        (int) (attempts.size() - tasks),
        count(attempts, Outcome.FAILED) + count(attempts, Outcome.LOST),
        count(attempts, Outcome.CANCELLED));
  }

  private static int count(List<TaskRecord> attempts, Outcome outcome) {
    return (int) attempts.stream().filter(task -> task.outcome() == outcome).count();
  }

  public FailureCounts plus(FailureCounts other) {
    return new FailureCounts(
        failedRuns + other.failedRuns,
        extra + other.extra,
        failed + other.failed,
        cancelled + other.cancelled);
  }
}
