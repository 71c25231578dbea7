package dev.weir.yarn.wait;

/**
 * How long a container may wait for a named node: until a free one is sure to have come to the
 * scheduler's notice, and after that no longer than moving the bytes would take.
 *
 * @param floorMillis bytes that are moved in less than this are not worth a wait
 * @param maxMillis the wait is never longer than this
 * @param bytesPerSecond how fast a node could fetch the bytes from another, where the application
 *     does not say
 */
public record LocalityWait(long floorMillis, long maxMillis, long bytesPerSecond) {

  public LocalityWait {
    if (floorMillis < 0 || maxMillis < 0 || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "wait of at most %d ms, none below %d ms, at %d bytes/s"
              .formatted(maxMillis, floorMillis, bytesPerSecond));
    }
  }

  /** A wait without a floor. */
  public LocalityWait(long maxMillis, long bytesPerSecond) {
    this(0, maxMillis, bytesPerSecond);
  }

  /** How long bytes are on their way, at the configured rate if the reported one is 0. */
  public long moving(long bytes, long reportedBytesPerSecond) {
    long rate = reportedBytesPerSecond > 0 ? reportedBytesPerSecond : bytesPerSecond;
    return (long) (bytes * 1000.0 / rate);
  }

  /** The wait when a named node has room. */
  public long millis(long bytes, long noticeMillis) {
    return millis(moving(bytes, 0), noticeMillis, 0);
  }

  /**
   * The wait, 0 for none.
   *
   * @param movingMillis how long the bytes would be on their way
   * @param roomMillis in how long some named node is expected to have room
   */
  public long millis(long movingMillis, long noticeMillis, long roomMillis) {
    if (movingMillis < floorMillis) {
      return 0;
    }
    long wait = Math.min(maxMillis, addUp(noticeMillis, movingMillis));
    return roomMillis > wait ? 0 : wait;
  }

  private static long addUp(long a, long b) {
    return b > Long.MAX_VALUE - a ? Long.MAX_VALUE : a + b;
  }
}
