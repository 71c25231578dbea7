package dev.weir.workflow.staging;

import dev.weir.workflow.scheduler.Progress;
import java.util.List;

/**
 * How far a run is; {@code status.json} in the staging directory.
 *
 * @param phase what it is doing
 * @param tasks tasks of the workflow
 * @param done tasks that are done
 * @param ready tasks that wait for a worker
 * @param running ids of the tasks that run
 * @param workers live workers
 * @param failedAttempts attempts that failed or were lost so far
 * @param inputBytesLocal input bytes that the reading node had, in HDFS or in its cache
 * @param inputBytesRemote input bytes read from other nodes
 * @param notes what the user should know, oldest first
 * @param details what a person wants to know beyond that
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

  /** Copies. */
  public RunProgress {
    running = List.copyOf(running);
    notes = List.copyOf(notes);
  }

  /**
   * A progress without details.
   *
   * @param phase what it is doing
   * @param tasks tasks of the workflow
   * @param done tasks that are done
   * @param ready tasks that wait for a worker
   * @param running ids of the tasks that run
   * @param workers live workers
   * @param failedAttempts attempts that failed or were lost so far
   * @param inputBytesLocal input bytes read on the node that holds them
   * @param inputBytesRemote input bytes read from other nodes
   * @param notes what the user should know, oldest first
   */
  public RunProgress(
      Phase phase,
      int tasks,
      int done,
      int ready,
      List<String> running,
      int workers,
      int failedAttempts,
      long inputBytesLocal,
      long inputBytesRemote,
      List<String> notes) {
    this(
        phase,
        tasks,
        done,
        ready,
        running,
        workers,
        failedAttempts,
        inputBytesLocal,
        inputBytesRemote,
        notes,
        Progress.Details.NONE);
  }

  /** What a run is doing. */
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

  /**
   * A run of which nothing is known yet.
   *
   * @param tasks tasks of the workflow
   * @return the progress
   */
  public static RunProgress submitted(int tasks) {
    return new RunProgress(Phase.SUBMITTED, tasks, 0, 0, List.of(), 0, 0, 0, 0, List.of());
  }
}
