package dev.weir.workflow.dispatch;

import java.util.List;

/**
 * How far a run is.
 *
 * @param tasks tasks of the workflow
 * @param done tasks that are done
 * @param ready tasks that wait for a worker
 * @param running ids of the tasks that run
 * @param workers live workers
 * @param failedAttempts attempts that failed or were lost
 * @param inputBytesLocal input bytes read on the node that holds them
 * @param inputBytesRemote input bytes read from other nodes
 */
public record Progress(
    int tasks,
    int done,
    int ready,
    List<String> running,
    int workers,
    int failedAttempts,
    long inputBytesLocal,
    long inputBytesRemote) {

  /** Copies. */
  public Progress {
    running = List.copyOf(running);
  }
}
