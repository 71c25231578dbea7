package dev.weir.hdfs.gather;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A gather that cannot go on, and what to do. Nothing was changed by the call that throws it. */
public final class GatherException extends IOException {
  private static final long serialVersionUID = 1;

  /** What stands in the way. */
  public enum Problem {
    /** The path is of a file system that cannot join files. */
    NOT_HDFS,
    /** What was asked for makes no sense: a region that cannot be, a path that names no gather. */
    WRONG_USAGE,
    /** The directory cannot have gathers: HDFS joins no encrypted files. */
    ENCRYPTED,
    /** There is no such gather: never begun, aborted, expired, or committed and removed since. */
    NO_SUCH_GATHER,
    /** All regions are there: nothing is left to write. */
    COMPLETE,
    /** A region is not there, or still being written. */
    INCOMPLETE,
    /** A region is longer or shorter than it has to be. */
    WRONG_SIZE,
    /** The target is there, and was not to be replaced. */
    TARGET_EXISTS,
    /** A snapshot holds regions, and HDFS joins no files of snapshots. */
    IN_SNAPSHOT
  }

  private final Problem problem;

  GatherException(Problem problem, String message) {
    this(problem, message, null);
  }

  GatherException(Problem problem, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.problem = problem;
  }

  /** What stands in the way. */
  public Problem problem() {
    return problem;
  }
}
