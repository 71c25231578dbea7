package dev.weir.workflow.record;

import dev.weir.workflow.record.TaskRecord.Traffic;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The totals of a run.
 *
 * @param makespan time from its start to its end
 * @param tasks number of tasks that succeeded; a task that was run repeatedly counts once
 * @param unsuccessfulAttempts number of attempts that failed or were lost
 * @param traffic bytes moved by all attempts, including unsuccessful ones, because they loaded the
 *     network as well
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

  /** Returns the share of input bytes that the reader's own node had; 1 if nothing was read. */
  public double localShare() {
    long own = traffic.inputOwn();
    long all = own + traffic.inputRemote();
    return all == 0 ? 1 : (double) own / all;
  }
}
