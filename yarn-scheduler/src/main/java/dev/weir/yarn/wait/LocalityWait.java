package dev.weir.yarn.wait;

/**
 * How long a container may wait for a named node: the time in which the scheduler notices a free
 * one, plus the time to move the bytes.
 *
 * @param floorMillis there is no wait for bytes that are moved in less time
 * @param maxMillis the longest wait
 * @param bytesPerSecond the rate at which a node fetches the bytes from another, if the application
 *     does not say
 */
public record LocalityWait(long floorMillis, long maxMillis, long bytesPerSecond) {

  public LocalityWait {
    if (floorMillis < 0 || maxMillis < 0 || bytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "maximum wait %d ms or floor %d ms is negative, or the rate of %d bytes/s is not positive"
              .formatted(maxMillis, floorMillis, bytesPerSecond));
    }
  }

  /** How long moving the bytes takes, at the configured rate if the reported one is 0. */
  public long transferMillis(long bytes, long reportedBytesPerSecond) {
    long rate = reportedBytesPerSecond > 0 ? reportedBytesPerSecond : bytesPerSecond;
    return (long) (bytes * 1000.0 / rate);
  }

  /**
   * The wait in milliseconds, 0 for none.
   *
   * @param movingMillis how long moving the bytes would take
   * @param roomMillis the time until some named node is expected to have room
   */
  public long millis(long movingMillis, long noticeMillis, long roomMillis) {
    if (movingMillis < floorMillis) {
      return 0;
    }
    long wait = Math.min(maxMillis, saturatedSum(noticeMillis, movingMillis));
    return roomMillis > wait ? 0 : wait;
  }

  private static long saturatedSum(long a, long b) {
    return b > Long.MAX_VALUE - a ? Long.MAX_VALUE : a + b;
  }
}
