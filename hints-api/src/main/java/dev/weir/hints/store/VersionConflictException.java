package dev.weir.hints.store;

import java.io.IOException;

/** A set is not at the expected version. Nothing was changed. */
public final class VersionConflictException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The version of a set that does not exist. */
  public static final long ABSENT = 0;

  private final long actual;

  /**
   * Creates an exception.
   *
   * @param id of the set
   * @param expected the version that the caller expected; {@link #ABSENT} for none
   * @param actual the actual version; {@link #ABSENT} if there is no such set
   */
  public VersionConflictException(String id, long expected, long actual) {
    super(
        "hint set '"
            + id
            + "' is "
            + describe(actual)
            + ", not "
            + describe(expected)
            + " as expected; read it again and repeat the change");
    this.actual = actual;
  }

  /** The actual version; {@link #ABSENT} if there is no such set. */
  public long actual() {
    return actual;
  }

  private static String describe(long version) {
    return version == ABSENT ? "absent" : "at version " + version;
  }
}
