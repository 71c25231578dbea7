package dev.weir.yarn;

/**
 * How long a container may wait for a named node: until a free one is sure to have come to the
 * scheduler's notice, and after that no longer than moving the bytes would take.
 *
 * @param maxMillis the wait is never longer than this
 * @param bytesPerSecond how fast a node could fetch the bytes from another
 */
record LocalityWait(long maxMillis, long bytesPerSecond) {

  LocalityWait {
    if (maxMillis < 0 || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "wait of at most %d ms at %d bytes/s".formatted(maxMillis, bytesPerSecond));
    }
  }

  long millis(long bytes, long noticeMillis) {
    long moving = (long) (bytes * 1000.0 / bytesPerSecond);
    return Math.min(maxMillis, noticeMillis + moving);
  }
}
