package dev.weir.workflow.jobs;

import dev.weir.hints.HintText;
import dev.weir.workflow.model.FileIds;

/**
 * A file of a job: its path in HDFS and its name in the sandbox.
 *
 * @param path absolute path in HDFS, without scheme
 * @param name relative path in the job's sandbox
 * @param sizeBytes its size in bytes; 0 if the engine does not know it
 * @param hint for an output, the hint that it is written by, as a {@linkplain HintText short text};
 *     empty for none
 * @param copied for an input, whether the job gets a copy that it may alter; if not, it must not
 *     alter the file, which other jobs may read at the same time
 * @param intermediate for an output, whether only later jobs of the session read it, so that HDFS
 *     need not have it
 */
public record JobFile(
    String path, String name, long sizeBytes, String hint, boolean copied, boolean intermediate) {

  /**
   * Validates.
   *
   * @throws IllegalArgumentException when the path, the name, the size or the hint cannot be used;
   *     the message says why
   */
  public JobFile {
    if (!path.startsWith("/") || !FileIds.normalize(path).equals(path.substring(1))) {
      throw new IllegalArgumentException(
          "'"
              + path
              + "' is no path in HDFS for a job: write an absolute one without '.', '..', doubled"
              + " slashes and scheme");
    }
    if (name.startsWith("/") || !FileIds.normalize(name).equals(name)) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is no name for a file in the sandbox: write a relative path without '.', '..'"
              + " and doubled slashes");
    }
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(path + " has the size " + sizeBytes + ": give 0 or more");
    }
    if (!hint.isEmpty()) {
      HintText.parse(hint);
    }
  }

  /**
   * Creates a file that the job must not alter as an input.
   *
   * @param path absolute path in HDFS
   * @param name relative path in the sandbox
   * @param sizeBytes its size in bytes; 0 when it is not known
   * @param hint for an output, the hint that it is written by; empty for none
   */
  public JobFile(String path, String name, long sizeBytes, String hint) {
    this(path, name, sizeBytes, hint, false, false);
  }

  /**
   * Creates a file of unknown size, without a hint.
   *
   * @param path absolute path in HDFS
   * @param name relative path in the sandbox
   */
  public JobFile(String path, String name) {
    this(path, name, 0, "");
  }

  /** Returns the same input as a copy that the job may alter. */
  public JobFile asCopy() {
    return new JobFile(path, name, sizeBytes, hint, true, intermediate);
  }

  /** Returns the same output as one that only later jobs of the session read. */
  public JobFile asIntermediate() {
    return new JobFile(path, name, sizeBytes, hint, copied, true);
  }

  /** Returns the file's id in a workflow: its path below the root. */
  public String id() {
    return path.substring(1);
  }
}
