package dev.weir.workflow.model;

import dev.weir.hints.HintText;

/**
 * A file of a workflow.
 *
 * @param id its name: a relative path in a task's sandbox and below the run's data directory (see
 *     {@link FileIds})
 * @param sizeBytes its size in bytes as declared, at least 0
 * @param hint the hint that the workflow's author wrote for it, as a {@linkplain HintText short
 *     text}; it wins over what would be inferred. Empty for none
 */
public record DataFile(String id, long sizeBytes, String hint) {

  /**
   * Checks the name, the size and the hint.
   *
   * @throws IllegalArgumentException when the id is not a normal file id, the size is negative or
   *     the hint is none
   */
  public DataFile {
    FileIds.requireNormal(id);
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "File '" + id + "' has the size " + sizeBytes + ": give its size in bytes, 0 or more");
    }
    if (!hint.isEmpty()) {
      HintText.parse(hint);
    }
  }

  /**
   * A file for which its author wrote no hint.
   *
   * @param id its name
   * @param sizeBytes its size in bytes as declared, at least 0
   */
  public DataFile(String id, long sizeBytes) {
    this(id, sizeBytes, "");
  }
}
