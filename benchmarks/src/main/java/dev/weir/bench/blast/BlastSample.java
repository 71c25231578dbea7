package dev.weir.bench.blast;

import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.series.CountedTasks;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RunNotes;
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
 * @param most seconds from the first task's dispatch until nine in ten tasks have ended
 * @param all the same until the last has
 * @param localShare of the bytes read, from 0 to 1
 * @param notes what is known of it besides, stage-in and stage-out among it
 */
record BlastSample(
    String replicas, int repeat, double most, double all, double localShare, RunNotes notes) {
  private static final double MOST = 0.9;

  /**
   * Measures a run that was kept.
   *
   * @throws IllegalArgumentException when no task of it succeeded
   */
  static BlastSample of(RecordedRun kept) {
    CountedTasks counted = CountedTasks.of(kept.record());
    Instant begin = counted.begin();
    List<Double> ends =
        counted.done().stream()
            .map(TaskRecord::ended)
            .map(end -> Duration.between(begin, end).toNanos() / 1e9)
            .sorted()
            .toList();
    return new BlastSample(
        kept.turn().setup(),
        kept.turn().repeat(),
        ends.get((int) Math.ceil(MOST * ends.size()) - 1),
        ends.get(ends.size() - 1),
        counted.localShare(),
        kept.notes());
  }

  /** Runs that were kept, by how many replicas the database had, in the order of tables. */
  static Map<String, List<BlastSample>> byReplicas(List<RecordedRun> runs) {
    return runs.stream()
        .map(BlastSample::of)
        .sorted(
            Comparator.<BlastSample>comparingInt(
                    run -> ReplicaSetting.ofLabel(run.replicas()).place())
                .thenComparingInt(BlastSample::repeat))
        .collect(
            Collectors.groupingBy(BlastSample::replicas, LinkedHashMap::new, Collectors.toList()));
  }

  /** Seconds for bringing database and queries into HDFS. */
  double stageIn() {
    return notes.steps().provide();
  }

  /** Seconds for bringing the hits out of HDFS. */
  double stageOut() {
    return notes.steps().fetch();
  }

  double whole() {
    return stageIn() + all + stageOut();
  }

  RunOverhead beside() {
    return new RunOverhead(notes.steps(), all);
  }
}
