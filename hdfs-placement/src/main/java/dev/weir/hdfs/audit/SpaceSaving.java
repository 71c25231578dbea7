package dev.weir.hdfs.audit;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the reads and writes of the most used keys in bounded memory, with exponential decay. It
 * is the algorithm Space-Saving of Metwally, Agrawal and El Abbadi, "Efficient Computation of
 * Frequent and Top-k Elements in Data Streams", ICDT 2005: a new key replaces the key with the
 * smallest count, and that count is the greatest error of the new key's, which is never too high.
 *
 * <p>Counts decay forward: instead of shrinking all counts as time passes, a later event weighs
 * more. Not thread-safe.
 */
final class SpaceSaving {
  /** Weights beyond 2 to this power are scaled down, long before they lose precision. */
  private static final int MAX_HALF_LIVES = 64;

  private final double halfLifeMillis;
  private final Map<Long, Entry> entries;
  private final @Nullable Entry[] heap;
  private int size;
  private long landmark;

  SpaceSaving(int capacity, long halfLifeMillis, long now) {
    this.halfLifeMillis = halfLifeMillis;
    this.entries = new HashMap<>(capacity * 4 / 3 + 1);
    this.heap = new Entry[capacity];
    this.landmark = now;
  }

  /** Receives the counts of a key. */
  interface Visitor {
    /**
     * Visits a key.
     *
     * @param reads the decayed number of reads, too low by at most the error
     * @param writes the decayed number of writes, too low by at most the error
     */
    void visit(long key, double reads, double writes, double error);
  }

  void add(long key, boolean write, long now) {
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = size < heap.length ? append() : evictSmallest();
      entry.key = key;
      entries.put(key, entry);
    }
    double weight = weight(now);
    if (write) {
      entry.writes += weight;
    } else {
      entry.reads += weight;
    }
    siftDown(entry);
  }

  int size() {
    return size;
  }

  /** The greatest error of a count, which is never too high; also the limit of an absent key. */
  double error(long now) {
    return size < heap.length ? 0 : entry(0).total() / weight(now);
  }

  void visit(long now, Visitor visitor) {
    double weight = weight(now);
    for (int i = 0; i < size; i++) {
      Entry entry = entry(i);
      visitor.visit(entry.key, entry.reads / weight, entry.writes / weight, entry.error / weight);
    }
  }

  private double weight(long now) {
    double halfLives = Math.max(0, now - landmark) / halfLifeMillis;
    if (halfLives > MAX_HALF_LIVES) {
      double factor = Math.pow(2, -halfLives);
      for (int i = 0; i < size; i++) {
        entry(i).scale(factor);
      }
      landmark = now;
      halfLives = 0;
    }
    return Math.pow(2, halfLives);
  }

  private Entry append() {
    Entry entry = new Entry();
    // An empty entry is smaller than all others.
    heap[size] = entry;
    entry.position = size++;
    for (int i = entry.position; i > 0; i = entry.position) {
      swap(i, (i - 1) / 2);
    }
    return entry;
  }

  private Entry evictSmallest() {
    Entry entry = entry(0);
    entries.remove(entry.key);
    entry.error = entry.total();
    entry.reads = 0;
    entry.writes = 0;
    return entry;
  }

  private void siftDown(Entry entry) {
    while (true) {
      int smallest = entry.position;
      int left = 2 * smallest + 1;
      for (int child = left; child <= left + 1 && child < size; child++) {
        if (entry(child).total() < entry(smallest).total()) {
          smallest = child;
        }
      }
      if (smallest == entry.position) {
        return;
      }
      swap(entry.position, smallest);
    }
  }

  private void swap(int a, int b) {
    Entry first = entry(a);
    Entry second = entry(b);
    heap[a] = second;
    second.position = a;
    heap[b] = first;
    first.position = b;
  }

  private Entry entry(int position) {
    Entry entry = heap[position];
    if (entry == null) {
      throw new IllegalStateException("no entry at " + position);
    }
    return entry;
  }

  private static final class Entry {
    private long key;
    private double reads;
    private double writes;
    private double error;
    private int position;

    double total() {
      return reads + writes + error;
    }

    void scale(double factor) {
      reads *= factor;
      writes *= factor;
      error *= factor;
    }
  }
}
