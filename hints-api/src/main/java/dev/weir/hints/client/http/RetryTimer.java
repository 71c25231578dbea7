package dev.weir.hints.client.http;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Time and randomness for retries. */
public interface RetryTimer {
  /** The machine's clock and random numbers. */
  static RetryTimer real() {
    return new RetryTimer() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
      }

      @Override
      public double chance() {
        return ThreadLocalRandom.current().nextDouble();
      }
    };
  }

  /** As {@link System#nanoTime}. */
  long nanoTime();

  void pause(Duration time) throws InterruptedException;

  /** A random number from 0 to 1. */
  double chance();
}
