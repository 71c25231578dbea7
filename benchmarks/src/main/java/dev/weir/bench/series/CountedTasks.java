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
 * What counts of a run: all but the tasks with which its workers warm up.
 *
 * @param attempts of tasks, also those that failed
 */
public record CountedTasks(List<TaskRecord> attempts) {
  /** Copies. */
  public CountedTasks {
    attempts = List.copyOf(attempts);
  }

  /** Of a run. */
  public static CountedTasks of(RunRecord run) {
    return new CountedTasks(
        run.tasks().stream().filter(task -> !task.type().equals(WorkerWarmUp.TYPE)).toList());
  }

  /** The attempts that succeeded, one for each task. */
  public List<TaskRecord> done() {
    return attempts.stream().filter(task -> task.outcome() == Outcome.SUCCEEDED).toList();
  }

  /**
   * When the first task was given to a worker.
   *
   * @throws IllegalArgumentException when none has succeeded
   */
  public Instant begin() {
    return begin(done());
  }

  /**
   * When the first of some tasks was given to a worker.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Instant begin(List<TaskRecord> tasks) {
    return tasks.stream()
        .map(TaskRecord::dispatched)
        .min(Comparator.naturalOrder())
        .orElseThrow(() -> new IllegalArgumentException("No task has succeeded"));
  }

  /**
   * Seconds from the first dispatch of some tasks until the last one's end.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static double seconds(List<TaskRecord> tasks) {
    Instant begin = begin(tasks);
    Instant end =
        tasks.stream().map(TaskRecord::ended).max(Comparator.naturalOrder()).orElse(begin);
    return Duration.between(begin, end).toNanos() / 1e9;
  }

  /**
   * The share of the bytes read, by all attempts, that the reader's own node had.
   *
   * @return 0 to 1; 1 when nothing was read
   */
  public double localShare() {
    long own = attempts.stream().mapToLong(task -> task.traffic().inputOwn()).sum();
    long remote = attempts.stream().mapToLong(task -> task.traffic().inputRemote()).sum();
    return own + remote == 0 ? 1 : (double) own / (own + remote);
  }
}
