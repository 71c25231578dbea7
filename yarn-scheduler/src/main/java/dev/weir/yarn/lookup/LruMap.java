package dev.weir.yarn.lookup;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A bounded map that evicts the least recently used entry. Not thread-safe. */
public final class LruMap<K, V> {

  private final int max;
  private final Map<K, V> values = new LinkedHashMap<>(16, 0.75f, true);

  /** Creates a map for a number of entries. */
  public LruMap(int max) {
    this.max = max;
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
    if (before != null || values.size() <= max) {
      return before;
    }
    Iterator<V> eldest = values.values().iterator();
    V evicted = eldest.next();
    eldest.remove();
    return evicted;
  }

  /** The number of entries. */
  public int size() {
    return values.size();
  }

  /** Returns a value and marks it as used; creates it if absent. */
  public V computeIfAbsent(K key, Supplier<V> factory) {
    V known = values.get(key);
    if (known != null) {
      return known;
    }
    V value = factory.get();
    put(key, value);
    return value;
  }

  /** Removes an entry; null if absent. */
  @Nullable public V remove(K key) {
    return values.remove(key);
  }

  /** The values, which are not marked as used by that. */
  Collection<V> values() {
    return Collections.unmodifiableCollection(values.values());
  }

  List<V> removeAll() {
    List<V> all = List.copyOf(values.values());
    values.clear();
    return all;
  }
}
