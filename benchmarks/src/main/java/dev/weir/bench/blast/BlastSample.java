package dev.weir.bench.blast;

import dev.weir.bench.series.KeptRun;
import dev.weir.bench.series.Usage;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunTotals;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one run took, by the parts that the study has.
 *
 * @param replicas how many replicas the database had
 * @param repeat which repetition it was, from 1
 * @param stageIn seconds for bringing database and queries into HDFS
 * @param most seconds from the first task's dispatch until nine in ten tasks have ended
 * @param all the same until the last has
 * @param stageOut seconds for bringing the hits out of HDFS
 * @param localShare of the bytes read, from 0 to 1
 * @param usage what the workflow used beside time
 */
record BlastSample(
    String replicas,
    int repeat,
    double stageIn,
    double most,
    double all,
    double stageOut,
    double localShare,
    Usage usage) {
  private static final double MOST = 0.9;

  /**
   * Measures a run that was kept.
   *
   * @throws IllegalArgumentException when no task of it succeeded
   */
  static BlastSample of(KeptRun kept) {
    return of(
        kept.turn().setup(),
        kept.turn().repeat(),
        new Staging(kept.notes().steps().provide(), kept.notes().steps().fetch()),
        kept.record(),
        kept.notes().usage());
  }

  /** Runs that were kept, by how many replicas the database had, in the order of tables. */
  static Map<String, List<BlastSample>> byReplicas(List<KeptRun> runs) {
    return runs.stream()
        .map(BlastSample::of)
        .sorted(
            Comparator.<BlastSample>comparingInt(run -> Replicas.ofLabel(run.replicas()).place())
                .thenComparingInt(BlastSample::repeat))
        .collect(
            Collectors.groupingBy(BlastSample::replicas, LinkedHashMap::new, Collectors.toList()));
  }

  /**
   * Measures a run that succeeded.
   *
   * @throws IllegalArgumentException when no task of it succeeded
   */
  static BlastSample of(String replicas, int repeat, Staging staging, RunRecord run, Usage usage) {
    List<TaskRecord> done =
        run.tasks().stream().filter(task -> task.outcome() == Outcome.SUCCEEDED).toList();
    Instant begin =
        done.stream()
            .map(TaskRecord::dispatched)
            .min(Instant::compareTo)
            .orElseThrow(() -> new IllegalArgumentException("No task has succeeded"));
    List<Double> ends =
        done.stream()
            .map(task -> Duration.between(begin, task.ended()).toNanos() / 1e9)
            .sorted()
            .toList();
    RunTotals totals = run.totals();
    return new BlastSample(
        replicas,
        repeat,
        staging.inSeconds(),
        ends.get((int) Math.ceil(MOST * ends.size()) - 1),
        ends.get(ends.size() - 1),
        staging.outSeconds(),
        totals.localShare(),
        usage);
  }

  /**
   * How long data took from and to the outside.
   *
   * @param inSeconds into HDFS
   * @param outSeconds out of it
   */
  record Staging(double inSeconds, double outSeconds) {}

  double whole() {
    return stageIn + all + stageOut;
  }
}
