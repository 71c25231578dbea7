package dev.weir.yarn.cluster;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed again after a while. One thread at a time computes it, and others get
 * the previous value meanwhile. Only the first computation blocks other threads, for no longer than
 * computing it themselves would take.
 */
final class CachedValue<T> {

  private final long freshMillis;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final Object beginning = new Object();
  private volatile @Nullable Value<T> last;

  private record Value<T>(T value, long atMillis) {}

  /**
   * Creates a cache without a value.
   *
   * @param freshMillis how long a value is valid
   */
  CachedValue(long freshMillis) {
    this.freshMillis = freshMillis;
  }

  /**
   * Returns the value.
   *
   * @param look computes it, given the time; its exceptions are passed on and leave the value
   *     unchanged
   */
  T get(long nowMillis, LongFunction<T> look) {
    Value<T> known = last;
    if (known == null) {
      return begin(nowMillis, look);
    }
    if (isFresh(known, nowMillis) || !renewing.compareAndSet(false, true)) {
      return known.value();
    }
    try {
      // Another thread may have renewed it since the first check.
      known = last;
      return known != null && isFresh(known, nowMillis)
          ? known.value()
          : found(nowMillis, look).value();
    } finally {
      renewing.set(false);
    }
  }

  private T begin(long nowMillis, LongFunction<T> look) {
    synchronized (beginning) {
      Value<T> known = last;
      return (known != null ? known : found(nowMillis, look)).value();
    }
  }

  private Value<T> found(long nowMillis, LongFunction<T> look) {
    Value<T> found = new Value<>(look.apply(nowMillis), nowMillis);
    last = found;
    return found;
  }

  private boolean isFresh(Value<T> value, long nowMillis) {
    return nowMillis - value.atMillis() < freshMillis;
  }
}
