package dev.weir.hdfs.placement;

import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes of a cluster at one time. {@link SiteOrder} orders them for a name by score,
 * highest first; the score is a hash of name, host and port. Sites are numbered from 0 in the order
 * in which they were given.
 *
 * <p>Effectively immutable and thread-safe. An instance made by {@link #cached} caches what takes
 * time proportional to the number of DataNodes, for a bounded number of names; keep it as long as
 * the DataNodes do not change.
 */
public final class Sites<S extends Site> {
  private final List<S> all;
  private final long[] identities;
  private final @Nullable SiteOrderCache<S> cache;

  private Sites(Collection<S> sites, @Nullable SiteOrderCache<S> cache) {
    this.cache = cache;
    all = List.copyOf(sites);
    identities = new long[all.size()];
    for (int i = 0; i < identities.length; i++) {
      S site = all.get(i);
      identities[i] =
          StableHash.mix(((long) site.host().hashCode() << 32) | (site.port() & 0xffffffffL));
    }
  }

  /** Distinct sites without a cache, for few queries. */
  public static <S extends Site> Sites<S> of(Collection<S> sites) {
    return new Sites<>(sites, null);
  }

  /** Distinct sites with a cache, for many queries. */
  public static <S extends Site> Sites<S> cached(Collection<S> sites) {
    return new Sites<>(sites, new SiteOrderCache<>());
  }

  public int size() {
    return identities.length;
  }

  public S get(int number) {
    return all.get(number);
  }

  SitesByName<S> byName() {
    return cache == null ? new SitesByName<>(all) : cache.byName(all);
  }

  /**
   * The numbers of the first sites in an order.
   *
   * @param min the fewest to return, unless there are fewer
   * @return must not be changed
   */
  int[] best(long seed, int min) {
    int[] known = cache == null ? null : cache.best(seed, min, size());
    if (known != null) {
      return known;
    }
    long[] scores = scores(seed);
    int[] best =
        min <= SiteOrderCache.SHORT_ORDER
            ? TopScores.few(scores, this, SiteOrderCache.SHORT_ORDER)
            : TopScores.all(scores, this);
    if (cache != null) {
      cache.putBest(seed, best);
    }
    return best;
  }

  /**
   * The numbers of distinct sites for several sets. A hash assigns each site to one set; the site
   * with the highest score wins it. Sets without a site get the best of the remaining ones.
   *
   * @param sets at most the number of sites
   */
  int[] firsts(long seed, int sets) {
    int[] known = cache == null ? null : cache.firsts(seed, sets);
    if (known != null) {
      return known;
    }
    long[] scores = scores(seed);
    int[] firsts = TopScores.firsts(scores, this, sets);
    if (cache != null) {
      cache.putFirsts(seed, firsts);
    }
    return firsts;
  }

  private long[] scores(long seed) {
    return LongStream.of(identities).map(identity -> StableHash.mix(seed ^ identity)).toArray();
  }

  /** Breaks ties of scores in the same way on every NameNode. */
  boolean isBefore(int number, int other) {
    S site = all.get(number);
    S compared = all.get(other);
    int byHost = site.host().compareTo(compared.host());
    if (byHost != 0) {
      return byHost < 0;
    }
    return site.port() == compared.port() ? number < other : site.port() < compared.port();
  }
}
