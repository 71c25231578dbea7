package dev.weir.workflow.scheduler.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Determines which files no task needs any more. A file may be deleted if all of this holds:
 *
 * <ul>
 *   <li>It is marked as temporary: it is an intermediate file that the user does not keep.
 *   <li>It did not exist when the run began; otherwise it loses the mark, because the run does not
 *       own it.
 *   <li>An attempt of this run has made it. Files that were taken over from an earlier run are not
 *       this run's to delete.
 *   <li>It is in HDFS, and was not released before.
 *   <li>Its producer and all its readers are finished: done, so that their outputs are committed,
 *       with no second copy that still reads it. A task that failed permanently or was cancelled is
 *       not finished: this run or the next one may retry it.
 *   <li>If it is in HDFS: all that was made of it and is still needed is in HDFS, too, or was made
 *       of other files there. Otherwise the loss of a node would undo more than its own files.
 * </ul>
 *
 * <p>A done task may have to run again if an output is lost later. Its deleted inputs are then made
 * again, recursively.
 */
public final class UnneededFiles {

  private UnneededFiles() {}

  /** Whether a file may be deleted now. */
  public static boolean isUnneeded(FileState file) {
    TaskState producer = file.producer();
    return file.isTemporary()
        && file.available()
        && !file.isReleased()
        && file.madeMillis() > 0
        && producer != null
        && producer.isFinished()
        && !file.hasBusyReader();
  }

  /**
   * Whether a file that no task needs must stay in HDFS, because only nodes have what it became.
   */
  public static boolean protectsOthers(FileState file) {
    if (file.isOnlyOnNode()) {
      return false;
    }
    Set<TaskState> seen = new HashSet<>();
    Deque<TaskState> readers = new ArrayDeque<>(file.readers());
    while (!readers.isEmpty()) {
      TaskState reader = readers.remove();
      if (seen.add(reader)) {
        for (FileState output : reader.outputs()) {
          if (output.isOnlyOnNode() && output.needed()) {
            return true;
          }
          if (output.isOnlyOnNode() || output.isReleased()) {
            readers.addAll(output.readers());
          }
        }
      }
    }
    return false;
  }
}
