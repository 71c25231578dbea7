package dev.weir.hdfs.read;

import java.util.Arrays;

/**
 * Decides from how many replicas a stream reads at once. Not thread-safe; without I/O.
 *
 * <p>It measures how long the reader waits for each byte. One more replica stays in use only if the
 * stream became faster by a tenth, the reader's own time included. So a reader that is slower than
 * one replica uses one. If a stream with several replicas becomes slower than it was with one less,
 * the replicas are busy: it returns to one. After each failed attempt the stream waits longer until
 * the next, but not long for a replica that crawls.
 */
public final class StripeWidth {
  static final int MAX_WIDTH = 8;

  /** How much is read for each replica in use until the next decision. */
  static final long WINDOW_BYTES = 2L * StripedReadConfig.CHUNK_BYTES;

  /** Waiting counts as this many bytes at least, so a crawling replica is left after 10 s. */
  private static final double MIN_BYTES_PER_NANO = WINDOW_BYTES / 10e9;

  private static final long FIRST_PAUSE_BYTES = 64L << 20;
  private static final long MAX_PAUSE_BYTES = 1L << 30;
  private static final double GROWTH = 1.1;
  private static final double FALL = 0.9;

  /** A reader that does nothing for longer than this pauses. */
  private static final long MAX_OWN_NANOS = 100_000_000;

  /** Nanoseconds of waiting for each byte, by width; 0 if unknown. */
  private final double[] waiting = new double[MAX_WIDTH + 1];

  private int width = 1;
  private boolean isAttempt;
  private long windowBytes;
  private long windowProgress;
  private long windowWaitNanos;
  private long windowOwnNanos;
  private long pauseBytes;
  private long nextPauseBytes = FIRST_PAUSE_BYTES;

  /** From how many replicas the stream reads now. */
  public int width() {
    return width;
  }

  /**
   * Records a read.
   *
   * @param waitNanos how long the reader waited
   * @param ownNanos how long the reader did something else before
   * @return whether a window is complete, so that {@link #decide} should be called
   */
  public boolean read(long bytes, long waitNanos, long ownNanos) {
    windowBytes += bytes;
    windowWaitNanos += waitNanos;
    windowOwnNanos += Math.min(ownNanos, MAX_OWN_NANOS);
    long progress = Math.max(bytes, (long) (waitNanos * MIN_BYTES_PER_NANO));
    windowProgress += progress;
    pauseBytes = Math.max(0, pauseBytes - progress);
    return windowProgress >= WINDOW_BYTES * width;
  }

  /** Chooses the width of the next window; at most {@code usable} replicas can be in use. */
  public void decide(int usable) {
    double own = (double) windowOwnNanos / windowBytes;
    waiting[width] = (double) windowWaitNanos / windowBytes;
    boolean attempted = isAttempt;
    isAttempt = false;
    clearWindow();
    double gain =
        width == 1 || waiting[width - 1] == 0
            ? Double.MAX_VALUE
            : (waiting[width - 1] + own) / Math.max(waiting[width] + own, Double.MIN_NORMAL);
    if (attempted && gain < GROWTH) {
      width--;
      pause();
    } else if (gain < FALL) {
      single();
    } else {
      if (attempted) {
        nextPauseBytes = FIRST_PAUSE_BYTES;
      }
      if (pauseBytes == 0 && width < Math.min(usable, MAX_WIDTH)) {
        width++;
        isAttempt = true;
      }
    }
  }

  /** Returns to one replica for a while, because several did not serve. */
  public void single() {
    width = 1;
    isAttempt = false;
    Arrays.fill(waiting, 0);
    clearWindow();
    pause();
  }

  /** Begins anew after a seek. */
  public void restart() {
    width = 1;
    isAttempt = false;
    clearWindow();
  }

  private void pause() {
    pauseBytes = nextPauseBytes;
    nextPauseBytes = Math.min(2 * nextPauseBytes, MAX_PAUSE_BYTES);
  }

  private void clearWindow() {
    windowBytes = 0;
    windowProgress = 0;
    windowWaitNanos = 0;
    windowOwnNanos = 0;
  }
}
