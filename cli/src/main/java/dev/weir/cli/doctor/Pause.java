package dev.weir.cli.doctor;

import java.io.InterruptedIOException;
import java.time.Duration;

/** Waiting for a daemon to come along. */
final class Pause {
  private Pause() {}

  /**
   * Waits so long.
   *
   * @throws InterruptedIOException when the user gives up
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
