package dev.weir.workflow.record;

import java.time.Instant;

/**
 * A worker of a run.
 *
 * @param id unique in the run
 * @param node host name of the node that it ran on
 * @param rack the node's rack, such as {@code /default-rack}
 * @param started when it registered
 * @param ended when it ended or was given up
 */
public record WorkerRecord(String id, String node, String rack, Instant started, Instant ended) {

  /**
   * Checks.
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
