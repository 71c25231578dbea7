package dev.weir.workflow.record;

import java.time.Instant;

/**
 * A worker of a run.
 *
 * @param id unique in the run
 * @param node host name of the node that it ran on
 * @param rack the node's rack, such as {@code /default-rack}
 * @param started time at which it registered
 * @param ended time at which it ended or was given up
 */
public record WorkerRecord(String id, String node, String rack, Instant started, Instant ended) {

  /**
   * Validates the times.
   *
   * @throws IllegalArgumentException when it ends before it starts
   */
  public WorkerRecord {
    if (ended.isBefore(started)) {
      throw new IllegalArgumentException(
          "Worker '" + id + "' ends (" + ended + ") before it starts (" + started + ")");
    }
  }
}
