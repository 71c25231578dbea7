package dev.weir.hints.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Time and chance as the client sees them. */
interface Waits {
  /** The machine's. */
  static Waits real() {
    return new Waits() {
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

  /** Waits that long. */
  void pause(Duration time) throws InterruptedException;

  /** A number from 0 to 1. */
  double chance();
}
