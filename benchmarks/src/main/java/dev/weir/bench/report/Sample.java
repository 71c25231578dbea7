package dev.weir.bench.report;

import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import dev.weir.bench.workload.RepeatedWorkflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one repetition took.
 *
 * @param setup how it ran
 * @param ordinal which it was
 * @param times how long it took
 * @param stages seconds from the first dispatch until the last end of the tasks of a type, by type
 * @param localShare of the bytes read by tasks that count, from 0 to 1
 * @param notes what is known of it besides
 */
public record Sample(
    Setup setup,
    Ordinal ordinal,
    Times times,
    SortedMap<String, Double> stages,
    double localShare,
    RunNotes notes) {

  /**
   * Which one of a setup.
   *
   * @param run of which run, from 1
   * @param repeat which repetition it was, counted over all runs, from 1
   */
  public record Ordinal(int run, int repeat) {}

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

  /** The only repetition of a run. */
  public Sample(
      Setup setup,
      int repeat,
      Times times,
      SortedMap<String, Double> stages,
      double localShare,
      RunNotes notes) {
    this(setup, new Ordinal(repeat, repeat), times, stages, localShare, notes);
  }

  /**
   * Measures a run that succeeded.
   *
   * @param staging types of the tasks that stage data in or out
   * @return one for each repetition that the run has, in order; what the run used and took beside
   *     is divided among them
   * @throws IllegalArgumentException when no task of it succeeded, or its setup is none
   */
  public static List<Sample> all(RecordedRun kept, Set<String> staging) {
    SortedMap<Integer, List<TaskRecord>> rows = new TreeMap<>();
    for (TaskRecord task : CountedTasks.of(kept.record()).attempts()) {
      rows.computeIfAbsent(RepeatedWorkflow.number(task.type()), row -> new ArrayList<>())
          .add(task);
    }
    int run = kept.turn().repeat();
    int before = (run - 1) * rows.size();
    List<Sample> samples = new ArrayList<>();
    rows.forEach(
        (row, tasks) ->
            samples.add(
                of(
                    kept,
                    new CountedTasks(tasks),
                    staging,
                    new Ordinal(run, before + row),
                    rows.size())));
    return samples;
  }

  /** The same of a run that has one repetition. */
  public static Sample of(RecordedRun kept, Set<String> staging) {
    int run = kept.turn().repeat();
    return of(kept, CountedTasks.of(kept.record()), staging, new Ordinal(run, run), 1);
  }

  private static Sample of(
      RecordedRun kept, CountedTasks counted, Set<String> staging, Ordinal ordinal, int inRun) {
    RunRecord run = kept.record();
    List<TaskRecord> done = counted.done();
    SortedMap<String, Double> stages = new TreeMap<>();
    for (TaskRecord task : done) {
      stages.computeIfAbsent(
          RepeatedWorkflow.plain(task.type()),
          type ->
              CountedTasks.seconds(
                  done.stream().filter(one -> one.type().equals(task.type())).toList()));
    }
    return new Sample(
        Setup.ofLabel(kept.turn().setup()),
        ordinal,
        new Times(
            CountedTasks.seconds(
                done.stream()
                    .filter(task -> !staging.contains(RepeatedWorkflow.plain(task.type())))
                    .toList()),
            CountedTasks.seconds(done),
            run.totals().makespan().toNanos() / 1e9),
        stages,
        counted.localShare(),
        kept.notes().share(inRun));
  }

  /** Of which run of its setup it is, from 1. */
  public int run() {
    return ordinal.run();
  }

  /** Which repetition of its setup it is, from 1. */
  public int repeat() {
    return ordinal.repeat();
  }

  /** How long the tasks took, in seconds, without staging. */
  public double seconds() {
    return times.tasks();
  }

  /** What it used beside time. */
  public RunUsage usage() {
    return notes.usage();
  }

  /** What it took of the machine's time beside its tasks, in seconds. */
  public double overhead() {
    return RunOverhead.of(this).seconds();
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

  /** How long a stage took, in seconds; 0 where there was none. */
  public double stage(String type) {
    return stages.getOrDefault(type, 0.0);
  }
}
