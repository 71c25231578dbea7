package dev.weir.workflow.record;

/**
 * The deletion of intermediate files that no task of a run needed any more.
 *
 * @param bytes their total length in bytes
 * @param left number of files that were not deleted, because HDFS refused, another file had
 *     replaced them, or the run ended before
 */
public record DeletedFiles(int files, long bytes, int left) {

  /** There were no files to delete. */
  public static final DeletedFiles NOTHING = new DeletedFiles(0, 0, 0);

  /**
   * Validates the components.
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
