package dev.weir.hdfs.placement;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches orders of sites for a bounded number of names, without locks: at worst, threads compute
 * the same order twice. It takes less than 8 MB for 10,000 sites.
 */
final class SiteOrderCache<S extends Site> {
  /** How many sites of an order are cached for most names; anchors need fewer. */
  static final int SHORT_ORDER = 32;

  private final Table shortOrders = new Table(4096);
  private final Table fullOrders = new Table(64);
  private final Table firsts = new Table(64);
  private volatile @Nullable SitesByName<S> byName;

  int @Nullable [] best(long seed, int min, int size) {
    return (min <= Math.min(SHORT_ORDER, size) ? shortOrders : fullOrders).get(seed);
  }

  void putBest(long seed, int[] best) {
    (best.length <= SHORT_ORDER ? shortOrders : fullOrders).put(seed, best);
  }

  int @Nullable [] firsts(long seed, int sets) {
    int[] known = firsts.get(seed);
    return known != null && known.length == sets ? known : null;
  }

  void putFirsts(long seed, int[] numbers) {
    firsts.put(seed, numbers);
  }

  SitesByName<S> byName(List<S> sites) {
    SitesByName<S> present = byName;
    if (present == null) {
      present = new SitesByName<>(sites);
      byName = present;
    }
    return present;
  }

  /**
   * A table in which a seed, which is a hash, selects four possible slots. A fifth seed replaces
   * one of them.
   */
  private static final class Table {
    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable Entry> slots;

    /**
     * Creates a table.
     *
     * @param size the number of slots, a power of two
     */
    Table(int size) {
      slots = new AtomicReferenceArray<>(size);
    }

    int @Nullable [] get(long seed) {
      int firstSlot = firstSlot(seed);
      for (int i = firstSlot; i < firstSlot + WAYS; i++) {
        Entry known = slots.get(i);
        if (known != null && known.seed == seed) {
          return known.numbers;
        }
      }
      return null;
    }

    void put(long seed, int[] numbers) {
      int firstSlot = firstSlot(seed);
      int slot = firstSlot + ((int) (seed >>> Integer.SIZE) & (WAYS - 1));
      for (int i = firstSlot + WAYS - 1; i >= firstSlot; i--) {
        Entry known = slots.get(i);
        if (known == null || known.seed == seed) {
          slot = i;
        }
      }
      slots.set(slot, new Entry(seed, numbers));
    }

    private int firstSlot(long seed) {
      return (int) seed & (slots.length() - WAYS);
    }
  }

  private static final class Entry {
    private final long seed;
    private final int[] numbers;

    Entry(long seed, int[] numbers) {
      this.seed = seed;
      this.numbers = numbers;
    }
  }
}
