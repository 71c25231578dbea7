package dev.weir.workflow.model;

/**
 * A file of a workflow.
 *
 * @param id its name: a relative path in a task's sandbox and below the run's data directory (see
 *     {@link FileIds})
 * @param sizeBytes its size in bytes as declared, at least 0
 */
public record DataFile(String id, long sizeBytes) {

  /**
   * Checks the name and the size.
   *
   * @throws IllegalArgumentException when the id is not a normal file id or the size is negative
   */
  public DataFile {
    FileIds.requireNormal(id);
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "File '" + id + "' has the size " + sizeBytes + ": give its size in bytes, 0 or more");
    }
  }
}
