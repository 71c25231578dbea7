package dev.weir.bench.report;

import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.FailedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What went otherwise than planned in the runs of a setup. Times say nothing of it: a run that
 * failed is in no table, and one whose tasks were begun again is a run like others.
 *
 * @param failedRuns runs that failed, each as often as it did
 * @param again attempts at tasks beyond the first, whether it had failed or was slow
 * @param failed attempts that failed, or were lost with their worker
 * @param cancelled attempts that were stopped because another one was enough
 */
public record FailureCounts(int failedRuns, int again, int failed, int cancelled) {
  /** All went as planned. */
  public static final FailureCounts NONE = new FailureCounts(0, 0, 0, 0);

  /**
   * Those of a group.
   *
   * @return by the labels of setups; none for a setup that has neither runs nor failures
   */
  public static Map<String, FailureCounts> of(RecordedSeries kept, String group) {
    Map<String, FailureCounts> all = new TreeMap<>();
    for (FailedRun run : kept.failed(group)) {
      all.merge(run.turn().setup(), new FailureCounts(1, 0, 0, 0), FailureCounts::plus);
    }
    for (RecordedRun run : kept.runs(group)) {
      all.merge(
          run.turn().setup(), of(CountedTasks.of(run.record()).attempts()), FailureCounts::plus);
    }
    return all;
  }

  /** Those of the attempts of a run. */
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

  /**
   * What has failed whenever it was run, which tables of times do not have.
   *
   * @param made the labels of the setups that have runs
   * @return a sentence; empty where there is none
   */
  public static Optional<String> neverMade(
      Map<String, FailureCounts> all, Collection<String> made) {
    String failed =
        all.entrySet().stream()
            .filter(one -> !made.contains(one.getKey()))
            .sorted(Map.Entry.comparingByKey())
            .map(one -> one.getKey() + " (" + one.getValue().failedRuns() + ")")
            .collect(Collectors.joining(", "));
    return failed.isEmpty()
        ? Optional.empty()
        : Optional.of("Failed whenever it was run, so often: " + failed + ".");
  }

  /** Those of both. */
  public FailureCounts plus(FailureCounts other) {
    return new FailureCounts(
        failedRuns + other.failedRuns,
        again + other.again,
        failed + other.failed,
        cancelled + other.cancelled);
  }
}
