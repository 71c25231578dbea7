package dev.weir.hints.client.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A timer whose pauses advance its clock and return at once. */
public final class QuickRetryTimer implements RetryTimer {
  private final AtomicLong now = new AtomicLong();
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public void pause(Duration time) {
    pauses.add(time);
    now.addAndGet(time.toNanos());
  }

  @Override
  public double chance() {
    return 0;
  }

  List<Duration> pauses() {
    return pauses;
  }

  public void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }
}
