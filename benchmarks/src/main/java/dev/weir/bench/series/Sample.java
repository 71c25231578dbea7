package dev.weir.bench.series;

import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.util.Collections;
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
 * @param localShare of the bytes read by tasks that count, from 0 to 1
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

  /** Copies. */
  public Sample {
    stages = Collections.unmodifiableSortedMap(new TreeMap<>(stages));
  }

  /**
   * Measures a run that succeeded.
   *
   * @param staging types of the tasks that stage data in or out
   * @throws IllegalArgumentException when no task of it succeeded, or its setup is none
   */
  public static Sample of(KeptRun kept, Set<String> staging) {
    RunRecord run = kept.record();
    Counted counted = Counted.of(run);
    List<TaskRecord> done = counted.done();
    SortedMap<String, Double> stages = new TreeMap<>();
    for (TaskRecord task : done) {
      stages.computeIfAbsent(
          task.type(),
          type -> Counted.seconds(done.stream().filter(one -> one.type().equals(type)).toList()));
    }
    return new Sample(
        Setup.ofLabel(kept.turn().setup()),
        kept.turn().repeat(),
        new Times(
            Counted.seconds(done.stream().filter(task -> !staging.contains(task.type())).toList()),
            Counted.seconds(done),
            run.totals().makespan().toNanos() / 1e9),
        stages,
        counted.localShare(),
        kept.notes());
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
    return Beside.of(this).seconds();
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
}
