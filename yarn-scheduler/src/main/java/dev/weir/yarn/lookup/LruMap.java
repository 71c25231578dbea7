package dev.weir.yarn.lookup;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded number of things, of which the one that was used least recently makes room for the
 * next. For one thread at a time.
 */
public final class LruMap<K, V> {

  private final int most;
  private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

  /** Has room for that many. */
  public LruMap(int most) {
    this.most = most;
  }

  /** Uses one; null if it is not there. */
  @Nullable
  public V get(K key) {
    return values.get(key);
  }

  /**
   * Puts one there.
   *
   * @return what is not there any more for that: what the key stood for, or what was used least
   *     recently; null if nothing had to go
   */
  @Nullable
  public V put(K key, V value) {
    V before = values.put(key, value);
    if (before != null || values.size() <= most) {
      return before;
    }
    Iterator<V> eldest = values.values().iterator();
    V gone = eldest.next();
    eldest.remove();
    return gone;
  }

  /** How many are there. */
  public int size() {
    return values.size();
  }

  /** Uses one, which is made if it is not there. */
  public V orPut(K key, Supplier<V> made) {
    V known = values.get(key);
    if (known != null) {
      return known;
    }
    V value = made.get();
    put(key, value);
    return value;
  }

  /** Takes one out; null if it is not there. */
  @Nullable
  public V remove(K key) {
    return values.remove(key);
  }

  /** Takes all out. */
  List<V> removeAll() {
    List<V> all = List.copyOf(values.values());
    values.clear();
    return all;
  }
}
