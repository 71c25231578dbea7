package dev.weir.hdfs.placement;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about sites, for a bounded number of names, and without a lock: the worst that
 * threads do to each other is to find out again. With 10,000 sites it is less than 8 MB.
 */
final class SiteOrderCache<S extends Site> {
  /** How many sites of an order are remembered of most names; more than anchors need. */
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

  /** Each seed, being a hash, says which four places are its own; a fifth takes one of them. */
  private static final class Table {
    private static final int WAYS = 4;

    private final AtomicReferenceArray<@Nullable Known> places;

    /** Places for so many seeds, a power of two. */
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
