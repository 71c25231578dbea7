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
 * The durations of one run, by the parts that the study reports.
 *
 * @param replicas the replicas of the database
 * @param repeat the number of the repetition, from 1
 * @param ninetyPercent seconds from the first task's dispatch until nine in ten tasks have ended
 * @param all seconds until the last task has ended
 * @param localShare the share of local reads, from 0 to 1
 * @param notes the other measurements, among them stage-in and stage-out
 */
record BlastSample(
    String replicas,
    int repeat,
    double ninetyPercent,
    double all,
    double localShare,
    RunNotes notes) {
  private static final double NINETY_PERCENT = 0.9;

  /**
   * Measures a recorded run.
   *
   * @throws IllegalArgumentException if none of its tasks succeeded
   */
  static BlastSample of(RecordedRun run) {
    CountedTasks counted = CountedTasks.of(run.record());
    Instant begin = counted.begin();
    List<Double> ends =
        counted.done().stream()
            .map(TaskRecord::ended)
            .map(end -> Duration.between(begin, end).toNanos() / 1e9)
            .sorted()
            .toList();
    return new BlastSample(
        run.id().setup(),
        run.id().repeat(),
        ends.get((int) Math.ceil(NINETY_PERCENT * ends.size()) - 1),
        ends.get(ends.size() - 1),
        counted.localShare(),
        run.notes());
  }

  /** Groups recorded runs by the replicas of the database, in the order of tables. */
  static Map<String, List<BlastSample>> byReplicas(List<RecordedRun> runs) {
    return runs.stream()
        .map(BlastSample::of)
        .sorted(
            Comparator.<BlastSample>comparingInt(
                    sample -> ReplicaSetting.ofLabel(sample.replicas()).position())
                .thenComparingInt(BlastSample::repeat))
        .collect(
            Collectors.groupingBy(BlastSample::replicas, LinkedHashMap::new, Collectors.toList()));
  }

  /** Returns the seconds that database and queries took to get into HDFS. */
  double stageIn() {
    return notes.steps().provide();
  }

  /** Returns the seconds that the hits took to get out of HDFS. */
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
