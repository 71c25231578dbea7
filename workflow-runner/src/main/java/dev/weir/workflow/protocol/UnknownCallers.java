package dev.weir.workflow.protocol;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The callers of a server that have not yet shown who they are. Their number is bounded: when there
 * are too many, a new one evicts the oldest, but none before it has had a moment to authenticate.
 * So callers that say nothing, or a byte now and then, delay others by that moment at most, however
 * many come. Thread-safe.
 */
public final class UnknownCallers {

  private final int most;
  private final long graceNanos;
  private final LongSupplier nanoTime;

  /** Oldest first. */
  private final Set<Place> places = new LinkedHashSet<>();

  /**
   * No callers yet.
   *
   * @param most how many there may be at a time
   * @param grace for how long none is evicted
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  public UnknownCallers(int most, Duration grace, LongSupplier nanoTime) {
    this.most = most;
    this.graceNanos = grace.toNanos();
    this.nanoTime = nanoTime;
  }

  /** The place of one caller. */
  public final class Place {
    private final Runnable eviction;
    private final long sinceNanos = nanoTime.getAsLong();

    private Place(Runnable eviction) {
      this.eviction = eviction;
    }

    /**
     * Frees the place, for the caller has authenticated or is gone. It is not evicted any more when
     * this returns. Idempotent.
     *
     * @return whether the caller still had its place
     */
    public boolean leave() {
      synchronized (UnknownCallers.this) {
        boolean had = places.remove(this);
        UnknownCallers.this.notifyAll();
        return had;
      }
    }
  }

  /**
   * Takes a caller in. Blocks while there are too many callers, all of which have only just come.
   *
   * @param eviction ends what is done for the caller; must not block
   * @return the caller's place
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public synchronized Place enter(Runnable eviction) throws InterruptedException {
    while (places.size() >= most) {
      Place oldest = places.iterator().next();
      long leftNanos = oldest.sinceNanos + graceNanos - nanoTime.getAsLong();
      if (leftNanos <= 0) {
        places.remove(oldest);
        oldest.eviction.run();
      } else {
        wait(TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
      }
    }
    Place place = new Place(eviction);
    places.add(place);
    return place;
  }
}
