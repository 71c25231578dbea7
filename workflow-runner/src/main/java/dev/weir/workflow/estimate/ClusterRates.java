package dev.weir.workflow.estimate;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * How fast a cluster moves bytes and handles tasks.
 *
 * @param linkBytesPerSecond rate of each node's link, in each direction
 * @param localBytesPerSecond rate at which a node reads its own files from HDFS
 * @param taskSeconds time of a task beside its command and its bytes
 * @param startSeconds time of a whole command before the first task and after the last one
 */
public record ClusterRates(
    double linkBytesPerSecond,
    double localBytesPerSecond,
    double taskSeconds,
    double startSeconds) {

  private static final double LOCAL = 250e6;
  private static final double TASK = 0.06;
  private static final double START = 6;

  /** Fewer bytes mostly measure the opening of files. */
  private static final long MEASURABLE_BYTES = 1 << 20;

  private static final double MEASURABLE_SECONDS = 0.02;

  /** Fewer attempts do not measure. */
  private static final int ENOUGH = 5;

  /**
   * Validates the numbers.
   *
   * @throws IllegalArgumentException if a rate is not positive, or a time is negative
   */
  public ClusterRates {
    if (!(linkBytesPerSecond > 0)
        || !(localBytesPerSecond > 0)
        || !(taskSeconds >= 0)
        || !(startSeconds >= 0)) {
      throw new IllegalArgumentException(
          "Links of "
              + linkBytesPerSecond
              + " bytes/s, local reads of "
              + localBytesPerSecond
              + " bytes/s, "
              + taskSeconds
              + " s a task and "
              + startSeconds
              + " s a run: give positive numbers");
    }
  }

  /**
   * Returns rates of a cluster on which nothing was measured.
   *
   * @return the rates; the others are usual ones
   */
  public static ClusterRates usual(double linkBytesPerSecond) {
    return new ClusterRates(linkBytesPerSecond, LOCAL, TASK, START);
  }

  /** Returns a copy with another rate of the links. */
  public ClusterRates withLink(double bytesPerSecond) {
    return new ClusterRates(bytesPerSecond, localBytesPerSecond, taskSeconds, startSeconds);
  }

  /**
   * Returns rates that runs have measured. A link is at least as fast as the fastest quarter of
   * reads over it: several reads may share it.
   *
   * @return the rates; those that were not measured stay
   */
  public ClusterRates measured(List<RunRecord> runs) {
    List<Double> remote = new ArrayList<>();
    List<Double> local = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    List<Double> starts = new ArrayList<>();
    for (RunRecord run : runs) {
      for (TaskRecord task : run.tasks()) {
        if (task.outcome() == Outcome.SUCCEEDED) {
          TaskRecord.Phases phases = task.phases();
          TaskRecord.Traffic traffic = task.traffic();
          addRate(remote, traffic.inputRemote(), phases.stageInRemote());
          addRate(local, traffic.inputLocal() - traffic.inputCached(), phases.stageInLocal());
          if (traffic.inputLocal() + traffic.inputRemote() + traffic.output() < MEASURABLE_BYTES) {
            beside.add(seconds(phases.total().minus(phases.run())));
          }
        }
      }
      run.tasks().stream()
          .min(Comparator.comparing(TaskRecord::dispatched))
          .ifPresent(first -> starts.add(beside(run, first)));
    }
    return new ClusterRates(
        remote.size() < ENOUGH ? linkBytesPerSecond : quantile(remote, 0.75),
        local.size() < ENOUGH ? localBytesPerSecond : quantile(local, 0.5),
        beside.size() < ENOUGH ? taskSeconds : quantile(beside, 0.5),
        starts.isEmpty() ? startSeconds : quantile(starts, 0.5));
  }

  /** How long a run took before its first task and after its last one. */
  private static double beside(RunRecord run, TaskRecord first) {
    Duration before = Duration.between(run.started(), first.dispatched());
    Duration after =
        run.tasks().stream()
            .map(TaskRecord::ended)
            .max(Comparator.naturalOrder())
            .map(last -> Duration.between(last, run.ended()))
            .orElse(Duration.ZERO);
    return Math.max(0, seconds(before)) + Math.max(0, seconds(after));
  }

  private static void addRate(List<Double> rates, long bytes, Duration time) {
    if (bytes >= MEASURABLE_BYTES && seconds(time) >= MEASURABLE_SECONDS) {
      rates.add(bytes / seconds(time));
    }
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private static double quantile(List<Double> values, double part) {
    Collections.sort(values);
    return values.get((int) Math.min(values.size() - 1, Math.floor(part * values.size())));
  }
}
