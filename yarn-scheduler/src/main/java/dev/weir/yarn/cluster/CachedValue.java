package dev.weir.yarn.cluster;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A value that is recomputed after a time. One thread at a time computes it; others get the
 * previous value meanwhile. Only the first computation blocks other threads.
 */
final class CachedValue<T> {

  private final long validMillis;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final Object firstLock = new Object();
  private volatile @Nullable Value<T> last;

  private record Value<T>(T value, long atMillis) {}

  CachedValue(long validMillis) {
    this.validMillis = validMillis;
  }

  /**
   * Returns the value.
   *
   * @param compute computes it, given the time; its exceptions are passed on and leave the value
   *     unchanged
   */
  T get(long nowMillis, LongFunction<T> compute) {
    Value<T> known = last;
    if (known == null) {
      return computeFirst(nowMillis, compute);
    }
    if (isFresh(known, nowMillis) || !renewing.compareAndSet(false, true)) {
      return known.value();
    }
    try {
      // Another thread may have renewed it since the first check.
      known = last;
      return known != null && isFresh(known, nowMillis)
          ? known.value()
          : computed(nowMillis, compute).value();
    } finally {
      renewing.set(false);
    }
  }

  private T computeFirst(long nowMillis, LongFunction<T> compute) {
    synchronized (firstLock) {
      Value<T> known = last;
      return (known != null ? known : computed(nowMillis, compute)).value();
    }
  }

  private Value<T> computed(long nowMillis, LongFunction<T> compute) {
    Value<T> computed = new Value<>(compute.apply(nowMillis), nowMillis);
    last = computed;
    return computed;
  }

  private boolean isFresh(Value<T> value, long nowMillis) {
    return nowMillis - value.atMillis() < validMillis;
  }
}
