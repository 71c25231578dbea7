package dev.weir.hdfs.gather;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A gather cannot continue. The message says what to do. The call that throws it has changed
 * nothing.
 */
public final class GatherException extends IOException {
  private static final long serialVersionUID = 1;

  /** The kind of problem. */
  public enum Problem {
    /** The path belongs to a file system that cannot join files. */
    NOT_HDFS,
    /** The request is invalid: a region out of range, or a path that does not name a gather. */
    WRONG_USAGE,
    /** The directory does not allow gathers: HDFS cannot join encrypted files. */
    ENCRYPTED,
    /**
     * There is no such gather: it never began, was aborted, has expired, or was committed and its
     * file removed.
     */
    NO_SUCH_GATHER,
    /** All regions are written. */
    COMPLETE,
    /** A region is missing or still being written. */
    INCOMPLETE,
    /** A region is too long or too short. */
    WRONG_SIZE,
    /** The target exists and must not be replaced. */
    TARGET_EXISTS,
    /** A snapshot holds regions, and HDFS cannot join files of snapshots. */
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

  /** The kind of problem. */
  public Problem problem() {
    return problem;
  }
}
