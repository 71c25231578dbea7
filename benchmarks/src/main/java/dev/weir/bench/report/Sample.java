package dev.weir.bench.report;

import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import dev.weir.bench.workload.RepeatedWorkflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The durations of one repetition.
 *
 * @param ordinal its number
 * @param times its durations
 * @param stages seconds from the first dispatch until the last end, by task type
 * @param localShare share of local reads of counted tasks, from 0 to 1
 * @param notes its other measurements
 */
public record Sample(
    Setup setup,
    Ordinal ordinal,
    Times times,
    SortedMap<String, Double> stages,
    double localShare,
    RunNotes notes) {

  /**
   * The number of a repetition in a setup.
   *
   * @param run the run, from 1
   * @param repeat the repetition, counted over all runs, from 1
   */
  public record Ordinal(int run, int repeat) {}

  /**
   * Durations in seconds.
   *
   * @param tasks from the first task's dispatch until the last one's end, without tasks that stage
   *     data from and to an outside server
   * @param staged the same with them
   * @param whole from submission until YARN is notified of the end
   */
  public record Times(double tasks, double staged, double whole) {}

  public Sample {
    stages = Collections.unmodifiableSortedMap(new TreeMap<>(stages));
  }

  /** Creates the sample of a run with one repetition. */
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
   * Measures a successful run.
   *
   * @param staging types of the tasks that stage data in or out
   * @return one sample per repetition, in order; usage and overhead are divided among them
   * @throws IllegalArgumentException if none of its tasks succeeded, or its setup is unknown
   */
  public static List<Sample> all(RecordedRun kept, Set<String> staging) {
    SortedMap<Integer, List<TaskRecord>> rows = new TreeMap<>();
    for (TaskRecord task : CountedTasks.of(kept.record()).attempts()) {
      rows.computeIfAbsent(RepeatedWorkflow.number(task.type()), row -> new ArrayList<>())
          .add(task);
    }
    int run = kept.id().repeat();
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

  /** Measures a run with one repetition. */
  public static Sample of(RecordedRun kept, Set<String> staging) {
    int run = kept.id().repeat();
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
        Setup.ofLabel(kept.id().setup()),
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

  /** Returns the number of its run in the setup, from 1. */
  public int run() {
    return ordinal.run();
  }

  /** Returns the number of the repetition in the setup, from 1. */
  public int repeat() {
    return ordinal.repeat();
  }

  /** Returns the duration of the tasks without staging, in seconds. */
  public double seconds() {
    return times.tasks();
  }

  /** Returns the duration of the whole command, divided among its repetitions, in seconds. */
  public double command() {
    return notes.steps().run();
  }

  public RunUsage usage() {
    return notes.usage();
  }

  /** Returns the overhead beside the tasks, in seconds. */
  public double overhead() {
    return RunOverhead.of(this).seconds();
  }

  /** Returns the mean local share, from 0 to 1; 0 for none. */
  public static double meanLocalShare(List<Sample> samples) {
    return samples.stream().mapToDouble(Sample::localShare).average().orElse(0);
  }

  /** Returns the mean network bytes; 0 for none. */
  public static double meanNetworkBytes(List<Sample> samples) {
    return samples.stream().mapToLong(one -> one.usage().networkBytes()).average().orElse(0);
  }

  /** Returns the mean peak storage in bytes; 0 for none. */
  public static double meanPeakStorage(List<Sample> samples) {
    return samples.stream().mapToLong(one -> one.usage().peakStorage()).average().orElse(0);
  }

  /** Returns the columns of CSV from the stages on: session, start, overhead and steps. */
  public String csvOfSteps() {
    RunSteps steps = notes.steps();
    return String.format(
        Locale.ROOT,
        "%s,%d,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f",
        stages().entrySet().stream()
            .map(stage -> String.format(Locale.ROOT, "%s=%.3f", stage.getKey(), stage.getValue()))
            .collect(Collectors.joining(";")),
        notes.session(),
        notes.begun().truncatedTo(ChronoUnit.SECONDS),
        overhead(),
        steps.provide(),
        steps.rest(),
        steps.run(),
        steps.settle(),
        steps.fetch(),
        steps.clean());
  }
}
