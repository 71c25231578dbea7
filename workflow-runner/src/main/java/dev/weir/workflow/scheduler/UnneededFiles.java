package dev.weir.workflow.scheduler;

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
 *   <li>If HDFS has a copy of a node's file: what its readers have made of it is in HDFS, too, as
 *       far as it is needed. Otherwise the loss of a node could cost more than the copy has saved.
 * </ul>
 *
 * <p>A done task may have to run again if an output is lost later. Its deleted inputs are then made
 * again, recursively.
 */
final class UnneededFiles {

  private UnneededFiles() {}

  /** Whether a file may be deleted now. */
  static boolean isUnneeded(FileState file) {
    TaskState producer = file.producer();
    return file.isTemporary()
        && file.available()
        && !file.isReleased()
        && file.madeMillis() > 0
        && producer != null
        && producer.isFinished()
        && !file.readers().isEmpty()
        && !file.hasBusyReader()
        && (file.copy() == null || file.readers().stream().noneMatch(UnneededFiles::isAtRisk));
  }

  /** Whether a node's loss would undo a task, which would need its inputs again. */
  private static boolean isAtRisk(TaskState task) {
    return task.outputs().stream().anyMatch(file -> file.isOnlyOnNode() && file.needed());
  }
}
