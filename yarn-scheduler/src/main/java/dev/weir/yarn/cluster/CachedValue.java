package dev.weir.yarn.cluster;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What has been found out and is good for a while. One thread at a time finds it out anew, and
 * others take what was known before meanwhile; only while nothing is known yet do they wait for it,
 * which takes them no longer than finding it out themselves.
 */
final class CachedValue<T> {

  private final long freshMillis;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private final Object beginning = new Object();
  private volatile @Nullable Value<T> last;

  private record Value<T>(T value, long atMillis) {}

  /**
   * Knows nothing yet.
   *
   * @param freshMillis for how long what was found out is good
   */
  CachedValue(long freshMillis) {
    this.freshMillis = freshMillis;
  }

  /**
   * What is known.
   *
   * @param look finds it out, given the time; what it throws is passed on, and nothing changes then
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
      // Another may have been here between the first look and the second.
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
