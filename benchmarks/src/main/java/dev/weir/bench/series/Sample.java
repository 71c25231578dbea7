package dev.weir.bench.series;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one run took.
 *
 * @param setup how it ran
 * @param repeat which repetition it was, from 1
 * @param seconds from the first task's dispatch until the last one's end
 * @param wholeSeconds from submission until YARN is told of the end
 * @param stages seconds from the first dispatch until the last end of the tasks of a type, by type
 * @param localShare of the bytes read, from 0 to 1
 * @param networkBytes read from other nodes, or copied to them by writes
 */
public record Sample(
    Setup setup,
    int repeat,
    double seconds,
    double wholeSeconds,
    SortedMap<String, Double> stages,
    double localShare,
    long networkBytes) {

  /** Copies. */
  public Sample {
    stages = Collections.unmodifiableSortedMap(new TreeMap<>(stages));
  }

  /**
   * Measures a run that succeeded.
   *
   * @throws IllegalArgumentException when no task of it succeeded
   */
  public static Sample of(Setup setup, int repeat, RunRecord run) {
    List<TaskRecord> done =
        run.tasks().stream().filter(task -> task.outcome() == Outcome.SUCCEEDED).toList();
    SortedMap<String, Double> stages = new TreeMap<>();
    for (TaskRecord task : done) {
      stages.computeIfAbsent(
          task.type(),
          type -> seconds(done.stream().filter(one -> one.type().equals(type)).toList()));
    }
    RunTotals totals = run.totals();
    return new Sample(
        setup,
        repeat,
        seconds(done),
        totals.makespan().toNanos() / 1e9,
        stages,
        totals.localShare(),
        totals.traffic().inputRemote() + totals.traffic().outputRemote());
  }

  /** The mean of their shares, from 0 to 1; 0 for none. */
  public static double meanLocalShare(List<Sample> samples) {
    return samples.stream().mapToDouble(Sample::localShare).average().orElse(0);
  }

  /** The mean of their bytes; 0 for none. */
  public static double meanNetworkBytes(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::networkBytes).average().orElse(0);
  }

  private static double seconds(List<TaskRecord> tasks) {
    Instant begin =
        tasks.stream()
            .map(TaskRecord::dispatched)
            .min(Comparator.naturalOrder())
            .orElseThrow(() -> new IllegalArgumentException("No task has succeeded"));
    Instant end =
        tasks.stream().map(TaskRecord::ended).max(Comparator.naturalOrder()).orElse(begin);
    return Duration.between(begin, end).toNanos() / 1e9;
  }
}
