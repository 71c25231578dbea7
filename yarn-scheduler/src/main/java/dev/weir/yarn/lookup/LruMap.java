package dev.weir.yarn.lookup;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bounded map that evicts the least recently used entry. Not thread-safe. */
public final class LruMap<K, V> {

  private final int most;
  private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

  /** Creates a map for a number of entries. */
  public LruMap(int most) {
    this.most = most;
  }

  /** Returns a value and marks it as used; null if absent. */
  @Nullable public V get(K key) {
    return values.get(key);
  }

  /**
   * Adds an entry.
   *
   * @return the value that was replaced or evicted; null if there is none
   */
  @Nullable public V put(K key, V value) {
    V before = values.put(key, value);
    if (before != null || values.size() <= most) {
      return before;
    }
    Iterator<V> eldest = values.values().iterator();
    V gone = eldest.next();
    eldest.remove();
    return gone;
  }

  /** The number of entries. */
  public int size() {
    return values.size();
  }

  /** Returns a value and marks it as used; creates it if absent. */
  public V orPut(K key, Supplier<V> made) {
    V known = values.get(key);
    if (known != null) {
      return known;
    }
    V value = made.get();
    put(key, value);
    return value;
  }

  /** Removes an entry; null if absent. */
  @Nullable public V remove(K key) {
    return values.remove(key);
  }

  /** Removes and returns all values. */
  List<V> removeAll() {
    List<V> all = List.copyOf(values.values());
    values.clear();
    return all;
  }
}
