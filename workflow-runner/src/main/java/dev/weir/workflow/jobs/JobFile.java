package dev.weir.workflow.jobs;

import dev.weir.hints.HintText;
import dev.weir.workflow.model.FileIds;

/**
 * A file of a job: where it is in HDFS and what the job calls it.
 *
 * @param path absolute path in HDFS, without scheme
 * @param name relative path in the job's sandbox
 * @param sizeBytes its size in bytes as far as its engine knows; 0 when it does not
 * @param hint for an output, the hint that it is written by, as a {@linkplain HintText short text};
 *     empty for none
 */
public record JobFile(String path, String name, long sizeBytes, String hint) {

  /**
   * Checks.
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
   * A file of which nothing else is known.
   *
   * @param path absolute path in HDFS
   * @param name relative path in the sandbox
   */
  public JobFile(String path, String name) {
    this(path, name, 0, "");
  }

  /**
   * What a workflow would call it: its path below the root.
   *
   * @return a normal id
   */
  public String id() {
    return path.substring(1);
  }
}
