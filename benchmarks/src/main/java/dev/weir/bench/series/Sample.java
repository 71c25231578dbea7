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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one run took.
 *
 * @param setup how it ran
 * @param repeat which repetition it was, from 1
 * @param times how long it took
 * @param stages seconds from the first dispatch until the last end of the tasks of a type, by type
 * @param localShare of the bytes read, from 0 to 1
 * @param notes what is known of it besides
 */
public record Sample(
    Setup setup,
    int repeat,
    Times times,
    SortedMap<String, Double> stages,
    double localShare,
    Notes notes) {

  /**
   * How long a run took, in seconds.
   *
   * @param tasks from the first task's dispatch until the last one's end, without tasks that stage
   *     data in from and out to somewhere outside
   * @param staged the same with them
   * @param whole from submission until YARN is told of the end
   */
  public record Times(double tasks, double staged, double whole) {}

  /** What tasks are called that come before all that counts, and count for nothing. */
  public static final String WARM_UP = "warm-up";

  /** Copies. */
  public Sample {
    stages = Collections.unmodifiableSortedMap(new TreeMap<>(stages));
  }

  /**
   * When the first task of a run was given to a worker, but for those that warm up.
   *
   * @throws IllegalArgumentException when no task of it succeeded
   */
  public static Instant begin(RunRecord run) {
    return first(done(run));
  }

  /**
   * Measures a run that succeeded.
   *
   * @param staging types of the tasks that stage data in or out
   * @throws IllegalArgumentException when no task of it succeeded, or its setup is none
   */
  public static Sample of(KeptRun kept, Set<String> staging) {
    RunRecord run = kept.record();
    List<TaskRecord> done = done(run);
    SortedMap<String, Double> stages = new TreeMap<>();
    for (TaskRecord task : done) {
      stages.computeIfAbsent(
          task.type(),
          type -> seconds(done.stream().filter(one -> one.type().equals(type)).toList()));
    }
    RunTotals totals = run.totals();
    return new Sample(
        Setup.ofLabel(kept.turn().setup()),
        kept.turn().repeat(),
        new Times(
            seconds(done.stream().filter(task -> !staging.contains(task.type())).toList()),
            seconds(done),
            totals.makespan().toNanos() / 1e9),
        stages,
        totals.localShare(),
        kept.notes());
  }

  private static List<TaskRecord> done(RunRecord run) {
    return run.tasks().stream()
        .filter(task -> task.outcome() == Outcome.SUCCEEDED && !task.type().equals(WARM_UP))
        .toList();
  }

  /** How long the tasks took, in seconds, without staging. */
  public double seconds() {
    return times.tasks();
  }

  /** What it used beside time. */
  public Usage usage() {
    return notes.usage();
  }

  /** What it took of the machine's time beside its tasks, in seconds. */
  public double overhead() {
    return notes.steps().whole() - times.staged();
  }

  /** The mean of their shares, from 0 to 1; 0 for none. */
  public static double meanLocalShare(List<Sample> samples) {
    return samples.stream().mapToDouble(Sample::localShare).average().orElse(0);
  }

  /** The mean of their bytes; 0 for none. */
  public static double meanNetworkBytes(List<Sample> samples) {
    return samples.stream().mapToLong(one -> one.usage().networkBytes()).average().orElse(0);
  }

  /** The mean of their bytes; 0 for none. */
  public static double meanPeakStorage(List<Sample> samples) {
    return samples.stream().mapToLong(one -> one.usage().peakStorage()).average().orElse(0);
  }

  /** The mean of a stage's seconds; 0 for none. */
  public static double meanStage(List<Sample> samples, String type) {
    return samples.stream()
        .mapToDouble(sample -> sample.stages().getOrDefault(type, 0.0))
        .average()
        .orElse(0);
  }

  private static Instant first(List<TaskRecord> tasks) {
    return tasks.stream()
        .map(TaskRecord::dispatched)
        .min(Comparator.naturalOrder())
        .orElseThrow(() -> new IllegalArgumentException("No task has succeeded"));
  }

  private static double seconds(List<TaskRecord> tasks) {
    Instant begin = first(tasks);
    Instant end =
        tasks.stream().map(TaskRecord::ended).max(Comparator.naturalOrder()).orElse(begin);
    return Duration.between(begin, end).toNanos() / 1e9;
  }
}
