package dev.weir.workflow.fetch;

/**
 * What is known of a file outside the run's HDFS.
 *
 * @param bytes length of the file; {@link #UNKNOWN} if not known
 * @param version what identifies its content, such as an ETag; empty if there is nothing
 * @param modifiedMillis time of the last modification in ms since 1970; {@link #UNKNOWN} if not
 *     known
 */
record RemoteStatus(long bytes, String version, long modifiedMillis) {
  static final long UNKNOWN = -1;

  /** Returns whether a copy of this length and time is one of the current content. */
  boolean isCurrent(long copyBytes, long copyMillis) {
    return bytes == copyBytes && (modifiedMillis == UNKNOWN || modifiedMillis <= copyMillis);
  }
}
