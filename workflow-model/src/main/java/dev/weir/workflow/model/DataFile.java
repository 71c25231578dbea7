package dev.weir.workflow.model;

import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;

/**
 * A file of a workflow.
 *
 * @param id its name: a relative path in a task's sandbox and below the run's data directory (see
 *     {@link FileIds})
 * @param sizeBytes its size in bytes as declared, at least 0; {@link #ASSUMED_BYTES} if unknown
 * @param sizeKnown whether the workflow declares the size
 * @param hint the hint that the workflow's author wrote for it, as a {@linkplain HintText short
 *     text}; it takes precedence over inferred hints; empty for none
 */
public record DataFile(String id, long sizeBytes, boolean sizeKnown, String hint) {

  /**
   * The assumed size of files with unknown size. With one size for all files, only their numbers
   * affect decisions.
   */
  public static final long ASSUMED_BYTES = 1_000_000;

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the id is not a normalized file id, the size is negative or
   *     the hint is invalid
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
   * Creates a file without a hint.
   *
   * @param sizeBytes its size in bytes as declared, at least 0
   */
  public DataFile(String id, long sizeBytes) {
    this(id, sizeBytes, "");
  }

  /**
   * Creates a file of declared size.
   *
   * @param sizeBytes its size in bytes as declared, at least 0
   * @param hint the hint that the workflow's author wrote for it; empty for none
   */
  public DataFile(String id, long sizeBytes, String hint) {
    this(id, sizeBytes, true, hint);
  }

  /**
   * Creates a file of unknown size.
   *
   * @param hint the hint that the workflow's author wrote for it; empty for none
   */
  public static DataFile ofUnknownSize(String id, String hint) {
    return new DataFile(id, ASSUMED_BYTES, false, hint);
  }

  /**
   * Returns whether the author's hint says that it is not needed once the tasks that use it have
   * ended.
   */
  public boolean calledTemporary() {
    return !hint.isEmpty()
        && HintText.parse(hint).lifetime().filter(Lifetime.scratch()::equals).isPresent();
  }
}
