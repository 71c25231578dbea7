package dev.weir.workflow.protocol;

import dev.weir.workflow.model.FileRegion;

/**
 * A file of a task: its name in the sandbox and its path in HDFS.
 *
 * @param name relative path in the sandbox
 * @param path absolute path in HDFS, without scheme
 * @param sizeBytes declared size in bytes; a stand-in task writes as much, and a region has this
 *     length
 * @param kind which part of the file it is, and who uses it
 * @param offset start of an input's region in the file, in bytes; 0 otherwise
 * @param copied whether an input is a private copy, which the command may alter; no other task has
 *     a link to it
 * @param content of an input that is in the store of a node; {@link NodeContent#NONE} for a file in
 *     HDFS
 * @param hint of an output, as JSON, for the HDFS client of a session's worker; empty for none
 */
public record FileSlot(
    String name,
    String path,
    long sizeBytes,
    Kind kind,
    long offset,
    boolean copied,
    NodeContent content,
    String hint) {

  /** Which part of a file a slot is, and who uses the file. */
  public enum Kind {
    /** The whole file. */
    WHOLE,
    /** A whole input that other tasks read as well. */
    SHARED,
    /**
     * A whole file that one task of the workflow writes and others read: an output of the writer,
     * or an input that the task may use exclusively. A node that wrote it need not read it from
     * HDFS.
     */
    HANDED,
    /**
     * A whole output that is committed to the store of its node, or to HDFS if the store has no
     * room.
     */
    KEPT,
    /** A whole output whose block locations are reported after it is written. */
    LOCATED,
    /** A region: a part of an input, or an output file of its own. */
    REGION,
    /**
     * Outputs that are known when the command has ended: {@code name} is a pattern, and {@code
     * path} the directory in HDFS that they go to.
     */
    GLOB,
    /** A whole output that was found by such a pattern. */
    FOUND
  }

  /** Creates a slot of a file in HDFS. The command must not alter it if it is an input. */
  public FileSlot(String name, String path, long sizeBytes, Kind kind, long offset) {
    this(name, path, sizeBytes, kind, offset, false, NodeContent.NONE, "");
  }

  /** Creates a slot of a whole file. */
  public FileSlot(String name, String path, long sizeBytes) {
    this(name, path, sizeBytes, Kind.WHOLE, 0);
  }

  /**
   * Returns a copy of the output with a hint.
   *
   * @param other as JSON; empty for none
   */
  public FileSlot hinted(String other) {
    return other.equals(hint)
        ? this
        : new FileSlot(name, path, sizeBytes, kind, offset, copied, content, other);
  }

  /** Returns a copy of the input as a private copy of the command. */
  public FileSlot asCopy() {
    return new FileSlot(name, path, sizeBytes, kind, offset, true, content, hint);
  }

  /**
   * Returns a copy of the input with a content.
   *
   * @param other what the store of a node has; {@link NodeContent#NONE} for a file in HDFS
   */
  public FileSlot with(NodeContent other) {
    return new FileSlot(name, path, sizeBytes, kind, offset, copied, other, hint);
  }

  /**
   * Returns the id of the file that it is, or that it is a region of.
   *
   * @return the id of an input
   */
  public String file() {
    return kind == Kind.REGION ? FileRegion.fileOf(name) : name;
  }
}
