package dev.weir.hints.store;

import java.io.IOException;

/** A set is not at the version that a change was meant for; nothing was changed. */
public final class VersionConflictException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The version that says that there is no such set. */
  public static final long ABSENT = 0;

  private final long actual;

  /**
   * A conflict.
   *
   * @param id names the set
   * @param expected the version that the caller expected; {@link #ABSENT} for none
   * @param actual the version that there is; {@link #ABSENT} when there is no such set
   */
  public VersionConflictException(String id, long expected, long actual) {
    super(
        "hint set '"
            + id
            + "' is "
            + at(actual)
            + ", not "
            + at(expected)
            + " as expected; read it again and repeat the change");
    this.actual = actual;
  }

  /** The version that there is; {@link #ABSENT} when there is no such set. */
  public long actual() {
    return actual;
  }

  private static String at(long version) {
    return version == ABSENT ? "absent" : "at version " + version;
  }
}
