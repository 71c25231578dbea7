package dev.weir.workflow.staging;

import dev.weir.workflow.scheduler.api.Progress;
import java.util.List;

/**
 * The progress of a run; {@code status.json} in the staging directory.
 *
 * @param done tasks that are done
 * @param ready tasks that wait for a worker
 * @param running ids of the tasks that run
 * @param failedAttempts attempts that failed or were lost so far
 * @param inputBytesLocal input bytes that the reading node had, in HDFS or in its cache
 * @param inputBytesRemote input bytes read from other nodes
 * @param notes messages for the user, oldest first
 * @param details further details for the user
 */
public record RunProgress(
    Phase phase,
    int tasks,
    int done,
    int ready,
    List<String> running,
    int workers,
    int failedAttempts,
    long inputBytesLocal,
    long inputBytesRemote,
    List<String> notes,
    Progress.Details details) {

  /** Copies the lists. */
  public RunProgress {
    running = List.copyOf(running);
    notes = List.copyOf(notes);
  }

  /** The phases of a run. */
  public enum Phase {
    /** Waiting for the ApplicationMaster. */
    SUBMITTED,
    /** Waiting for the first worker. */
    STARTING,
    /** Running tasks. */
    RUNNING,
    /** Writing its record. */
    FINISHING
  }

  /** Returns the progress of a run that has not reported any. */
  public static RunProgress submitted(int tasks) {
    return new RunProgress(
        Phase.SUBMITTED, tasks, 0, 0, List.of(), 0, 0, 0, 0, List.of(), Progress.Details.NONE);
  }
}
