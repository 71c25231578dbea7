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
  static final int FEW = 32;

  private final Table few = new Table(4096);
  private final Table all = new Table(64);
  private final Table firsts = new Table(64);
  private volatile @Nullable SitesByName<S> names;

  int @Nullable [] best(long seed, int least, int size) {
    return (least <= Math.min(FEW, size) ? few : all).get(seed);
  }

  void keepBest(long seed, int[] best) {
    (best.length <= FEW ? few : all).put(seed, best);
  }

  int @Nullable [] firsts(long seed, int sets) {
    int[] known = firsts.get(seed);
    return known != null && known.length == sets ? known : null;
  }

  void keepFirsts(long seed, int[] numbers) {
    firsts.put(seed, numbers);
  }

  SitesByName<S> names(List<S> sites) {
    SitesByName<S> present = names;
    if (present == null) {
      present = new SitesByName<>(sites);
      names = present;
    }
    return present;
  }

  /**
   * A table in which a seed, which is a hash, selects four possible slots. A fifth seed replaces
   * one of them.
   */
  private static final class Table {
    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable Known> places;

    /**
     * Creates a table.
     *
     * @param size the number of slots, a power of two
     */
    Table(int size) {
      places = new AtomicReferenceArray<>(size);
    }

    int @Nullable [] get(long seed) {
      int begin = begin(seed);
      for (int i = begin; i < begin + WAYS; i++) {
        Known known = places.get(i);
        if (known != null && known.seed == seed) {
          return known.numbers;
        }
      }
      return null;
    }

    void put(long seed, int[] numbers) {
      int begin = begin(seed);
      int place = begin + ((int) (seed >>> Integer.SIZE) & (WAYS - 1));
      for (int i = begin + WAYS - 1; i >= begin; i--) {
        Known known = places.get(i);
        if (known == null || known.seed == seed) {
          place = i;
        }
      }
      places.set(place, new Known(seed, numbers));
    }

    private int begin(long seed) {
      return (int) seed & (places.length() - WAYS);
    }
  }

  private static final class Known {
    private final long seed;
    private final int[] numbers;

    Known(long seed, int[] numbers) {
      this.seed = seed;
      this.numbers = numbers;
    }
  }
}
