package dev.weir.workflow.protocol;

import dev.weir.workflow.model.FileRegion;

/**
 * A file of a task: its name in the sandbox and its place in HDFS.
 *
 * @param name relative path in the sandbox
 * @param path absolute path in HDFS, without scheme
 * @param sizeBytes declared size in bytes; what a stand-in task writes, and what a region has
 * @param kind how much of the file it is
 * @param offset where an input's region begins in the file, in bytes; 0 otherwise
 * @param lane of an output, what it has in common with others that are stored on the same node, a
 *     few at a time; empty when it is stored at once
 * @param copied whether an input is the command's own, which it may alter: nobody else has a link
 *     to it
 */
public record FileSlot(
    String name, String path, long sizeBytes, Kind kind, long offset, String lane, boolean copied) {

  /** How much of a file a slot is. */
  public enum Kind {
    /** All of it. */
    WHOLE,
    /** All of an input that other tasks read, too. */
    SHARED,
    /**
     * All of what one task of the workflow makes and others read: an output of the first of them,
     * or an input that the task may have for its own. A node that has made it need not read it
     * back.
     */
    HANDED,
    /** All of it, and where its blocks are is to be told when it is written. */
    LOCATED,
    /** A region: part of the file that is read, or a file of its own when it is written. */
    REGION
  }

  /**
   * A file that is in no lane, and not to be altered when it is an input.
   *
   * @param name relative path in the sandbox
   * @param path absolute path in HDFS, without scheme
   * @param sizeBytes declared size in bytes
   * @param kind how much of the file it is
   * @param offset where an input's region begins in the file, in bytes; 0 otherwise
   */
  public FileSlot(String name, String path, long sizeBytes, Kind kind, long offset) {
    this(name, path, sizeBytes, kind, offset, "", false);
  }

  /**
   * A whole file.
   *
   * @param name relative path in the sandbox
   * @param path absolute path in HDFS, without scheme
   * @param sizeBytes declared size in bytes
   */
  public FileSlot(String name, String path, long sizeBytes) {
    this(name, path, sizeBytes, Kind.WHOLE, 0);
  }

  /**
   * The same output in a lane.
   *
   * @param other what it has in common with others that are stored on the same node
   * @return the slot
   */
  public FileSlot inLane(String other) {
    return other.equals(lane)
        ? this
        : new FileSlot(name, path, sizeBytes, kind, offset, other, copied);
  }

  /**
   * The same input as the command's own.
   *
   * @return the slot
   */
  public FileSlot asCopy() {
    return new FileSlot(name, path, sizeBytes, kind, offset, lane, true);
  }

  /**
   * Id of the file that it is, or is a region of.
   *
   * @return the id of an input
   */
  public String file() {
    return kind == Kind.REGION ? FileRegion.fileOf(name) : name;
  }
}
