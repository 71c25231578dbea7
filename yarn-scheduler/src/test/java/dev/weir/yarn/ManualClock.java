package dev.weir.yarn;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock in milliseconds that only the test advances. */
public final class ManualClock implements LongSupplier {

  private final AtomicLong now = new AtomicLong(1_000_000);

  @Override
  public long getAsLong() {
    return now.get();
  }

  public void advance(long millis) {
    now.addAndGet(millis);
  }
}
