package dev.weir.workflow.record;

import dev.weir.workflow.record.TaskRecord.Traffic;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * What a run did in all.
 *
 * @param makespan from its start to its end
 * @param tasks how many tasks succeeded; a task that was run again counts once
 * @param attempts how many attempts were made
 * @param unsuccessfulAttempts how many of them failed or were lost
 * @param traffic bytes moved by all attempts, also by those that came to nothing: they loaded the
 *     network all the same
 */
public record RunTotals(
    Duration makespan, int tasks, int attempts, int unsuccessfulAttempts, Traffic traffic) {

  static RunTotals of(RunRecord run) {
    Traffic traffic = Traffic.NONE;
    int unsuccessful = 0;
    Set<String> succeeded = new HashSet<>();
    for (TaskRecord task : run.tasks()) {
      traffic = traffic.plus(task.traffic());
      if (task.outcome() == Outcome.SUCCEEDED) {
        succeeded.add(task.task());
      } else {
        unsuccessful++;
      }
    }
    return new RunTotals(
        Duration.between(run.started(), run.ended()),
        succeeded.size(),
        run.tasks().size(),
        unsuccessful,
        traffic);
  }

  /**
   * The share of input bytes that the reader's own node had, in HDFS or from an earlier task.
   *
   * @return 0 to 1; 1 when nothing was read
   */
  public double localShare() {
    long own = traffic.inputOwn();
    long all = own + traffic.inputRemote();
    return all == 0 ? 1 : (double) own / all;
  }
}
