package dev.weir.bench.series;

import dev.weir.bench.workload.WorkerWarmUp;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * The tasks of a run that count: all but the warm-up tasks of its workers.
 *
 * @param attempts of tasks, including failed ones
 */
public record CountedTasks(List<TaskRecord> attempts) {
  public CountedTasks {
    attempts = List.copyOf(attempts);
  }

  public static CountedTasks of(RunRecord run) {
    return new CountedTasks(
        run.tasks().stream().filter(task -> !task.type().equals(WorkerWarmUp.TYPE)).toList());
  }

  /** Returns the successful attempts, one per task. */
  public List<TaskRecord> done() {
    return attempts.stream().filter(task -> task.outcome() == Outcome.SUCCEEDED).toList();
  }

  /**
   * Returns the first dispatch.
   *
   * @throws IllegalArgumentException if no task has succeeded
   */
  public Instant begin() {
    return begin(done());
  }

  /**
   * Returns the first dispatch of some tasks.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Instant begin(List<TaskRecord> tasks) {
    return tasks.stream()
        .map(TaskRecord::dispatched)
        .min(Comparator.naturalOrder())
        .orElseThrow(() -> new IllegalArgumentException("No task has succeeded"));
  }

  /**
   * Returns the seconds from the first dispatch of some tasks until the last end.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static double seconds(List<TaskRecord> tasks) {
    Instant begin = begin(tasks);
    Instant end =
        tasks.stream().map(TaskRecord::ended).max(Comparator.naturalOrder()).orElse(begin);
    return Duration.between(begin, end).toNanos() / 1e9;
  }

  /** Returns the share of all bytes read that were on the reader's own node; 1 if none was read. */
  public double localShare() {
    long own = attempts.stream().mapToLong(task -> task.traffic().inputOwn()).sum();
    long remote = attempts.stream().mapToLong(task -> task.traffic().inputRemote()).sum();
    return own + remote == 0 ? 1 : (double) own / (own + remote);
  }
}
