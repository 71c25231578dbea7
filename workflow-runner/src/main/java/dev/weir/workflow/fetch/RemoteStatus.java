package dev.weir.workflow.fetch;

/**
 * What is known of a file elsewhere.
 *
 * @param bytes its length; {@link #UNKNOWN} if not known
 * @param version what identifies its content, such as an ETag; empty if there is nothing
 * @param modifiedMillis when it was last modified; {@link #UNKNOWN} if not known
 */
record RemoteStatus(long bytes, String version, long modifiedMillis) {
  static final long UNKNOWN = -1;

  /** Returns whether a copy of this length and time is one of the current content. */
  boolean isCurrent(long copyBytes, long copyMillis) {
    return bytes == copyBytes && (modifiedMillis == UNKNOWN || modifiedMillis <= copyMillis);
  }
}
