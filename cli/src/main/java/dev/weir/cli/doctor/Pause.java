package dev.weir.cli.doctor;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Pauses between polls of a daemon. */
final class Pause {
  private Pause() {}

  /**
   * Sleeps.
   *
   * @throws InterruptedIOException if the thread is interrupted
   */
  static void of(Duration time) throws InterruptedIOException {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the cluster");
    }
  }
}
