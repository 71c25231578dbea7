package dev.weir.hdfs.placement;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes of a cluster at one time, in the order that {@link SiteOrder} has for a name: the one
 * with the highest score first, the score being a hash of the name, host and port. Numbers count
 * them from 0, in the order in which they were given.
 *
 * <p>Immutable for whoever looks, and for any thread. What costs time in proportion to the number
 * of DataNodes is remembered where {@link #remembering} made it, for a bounded number of names; so
 * it is to be kept as long as the DataNodes are the same.
 */
public final class Sites<S extends Site> {
  private final List<S> all;
  private final long[] identities;
  private final @Nullable SiteOrderCache<S> memory;

  private Sites(Collection<S> sites, @Nullable SiteOrderCache<S> memory) {
    this.memory = memory;
    all = List.copyOf(sites);
    identities = new long[all.size()];
    for (int i = 0; i < identities.length; i++) {
      S site = all.get(i);
      identities[i] =
          StableHash.mix(((long) site.host().hashCode() << 32) | (site.port() & 0xffffffffL));
    }
  }

  /** The sites, each once, for few questions. */
  public static <S extends Site> Sites<S> of(Collection<S> sites) {
    return new Sites<>(sites, null);
  }

  /** The sites, each once, for many questions. */
  public static <S extends Site> Sites<S> remembering(Collection<S> sites) {
    return new Sites<>(sites, new SiteOrderCache<>());
  }

  /** How many there are. */
  public int size() {
    return identities.length;
  }

  /** The site of that number. */
  public S get(int number) {
    return all.get(number);
  }

  /** The sites by their names. */
  SitesByName<S> names() {
    return memory == null ? new SitesByName<>(all) : memory.names(all);
  }

  /**
   * The numbers of the first sites in an order.
   *
   * @param least how many at least, unless there are fewer; not to be changed
   */
  int[] best(long seed, int least) {
    int[] known = memory == null ? null : memory.best(seed, least, size());
    if (known != null) {
      return known;
    }
    long[] scores = new long[identities.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = StableHash.mix(seed ^ identities[i]);
    }
    int[] best =
        least <= SiteOrderCache.FEW ? TopScores.few(scores, this, SiteOrderCache.FEW) : TopScores.all(scores, this);
    if (memory != null) {
      memory.keepBest(seed, best);
    }
    return best;
  }

  /**
   * The numbers of different sites for so many sets. Every site stands for one set, which a hash
   * says; the one with the highest score wins it. Sets that nobody stands for go to the best of
   * those that won none.
   *
   * @param sets not more than there are sites
   */
  int[] firsts(long seed, int sets) {
    int[] known = memory == null ? null : memory.firsts(seed, sets);
    if (known != null) {
      return known;
    }
    long[] scores = new long[identities.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = StableHash.mix(seed ^ identities[i]);
    }
    int[] firsts = TopScores.firsts(scores, this, sets);
    if (memory != null) {
      memory.keepFirsts(seed, firsts);
    }
    return firsts;
  }

  /** Decides between sites with the same score, for every NameNode in the same way. */
  boolean isBefore(int number, int other) {
    int byHost = all.get(number).host().compareTo(all.get(other).host());
    return byHost != 0 ? byHost < 0 : all.get(number).port() < all.get(other).port();
  }
}
