package dev.weir.workflow.record;

/**
 * What became of the files in between that no task of a run needed any more.
 *
 * @param files how many were deleted
 * @param bytes how long they were together, in bytes
 * @param left how many were to be deleted and stay: HDFS would not, somebody had put another file
 *     in the place, or the run ended before
 */
public record DeletedFiles(int files, long bytes, int left) {

  /** Nothing was to be deleted. */
  public static final DeletedFiles NOTHING = new DeletedFiles(0, 0, 0);

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when a number is negative
   */
  public DeletedFiles {
    if (files < 0 || bytes < 0 || left < 0) {
      throw new IllegalArgumentException(
          "Deleted: " + files + " files of " + bytes + " bytes, " + left + " left");
    }
  }
}
