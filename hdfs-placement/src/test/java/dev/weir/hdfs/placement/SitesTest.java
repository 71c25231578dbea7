package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares the order of sites with a sorted list. */
class SitesTest {
  private static final long SEED = 20_261_121;

  @Test
  void theOrderIsByScore() {
    Random random = new Random(SEED);
    for (int size : new int[] {0, 1, 2, 31, 32, 33, 64, 1000}) {
      List<TestSite> list = TestSite.sites(size, 7);
      Sites<TestSite> cached = Sites.cached(list);
      Sites<TestSite> uncached = Sites.of(list);
      for (int name = 0; name < 50; name++) {
        long seed = random.nextLong();
        List<TestSite> expected = sorted(list, seed);
        // Repeated, so that cached orders are read too.
        for (int min : new int[] {1, 33, 1, 33, size}) {
          int count = Math.min(min, size);
          for (Sites<TestSite> sites : List.of(cached, uncached)) {
            assertThat(first(new SiteOrder<>(seed, sites), count))
                .as("the first %d of %d, seed %d", count, size, seed)
                .isEqualTo(expected.subList(0, count));
          }
        }
      }
    }
  }

  @Test
  void aFullCacheYieldsTheSameOrders() {
    List<TestSite> list = TestSite.sites(100, 3);
    Sites<TestSite> sites = Sites.cached(list);
    for (int round = 0; round < 2; round++) {
      for (long name = 0; name < SiteOrderCache.MAX_FULL_ORDERS + 6; name++) {
        long seed = name << 40;
        assertThat(first(new SiteOrder<>(seed, sites), 5))
            .isEqualTo(sorted(list, seed).subList(0, 5));
        assertThat(first(new SiteOrder<>(seed, sites), 60))
            .isEqualTo(sorted(list, seed).subList(0, 60));
        for (int sets : new int[] {4, 9}) {
          assertThat(sites.firsts(seed, sets)).isEqualTo(Sites.of(list).firsts(seed, sets));
        }
      }
    }
  }

  @Test
  void theCacheIsBounded() {
    SiteOrderCache<TestSite> cache = new SiteOrderCache<>();
    long max = SiteOrderCache.MAX_FULL_ORDERS;
    for (long seed = 0; seed < 2 * max; seed++) {
      cache.putFirsts(seed, new int[] {1});
      assertThat(cache.firsts(seed, 1)).as("the newest").isNotNull();
    }
    assertThat(cache.size()).isEqualTo(max);
    for (long seed = 0; seed < 2 * max; seed++) {
      cache.putBest(seed, new int[SiteOrderCache.SHORT_ORDER + 1]);
    }
    assertThat(cache.size()).isEqualTo(2 * max);
    long maxShort = SiteOrderCache.MAX_SHORT_ORDERS;
    for (long seed = 0; seed < 2 * maxShort; seed++) {
      cache.putBest(seed, new int[] {1});
    }
    assertThat(cache.size()).isEqualTo(2 * max + maxShort);
  }

  @Test
  void sitesOfEqualHostAndPortAreOrderedByNumber() {
    TestSite twin = TestSite.sites(1, 1).get(0);
    List<TestSite> twins = Collections.nCopies(50, twin);
    assertThat(Sites.of(twins).best(SEED, twins.size()))
        .isEqualTo(IntStream.range(0, 50).toArray());
    assertThat(Sites.of(twins).isBefore(0, 1)).isTrue();
    assertThat(Sites.of(twins).isBefore(1, 0)).isFalse();
  }

  /** The hashes of "Aa" and "BB" are the same, and so are the scores. */
  @Test
  void equalScoresAreOrderedByName() {
    for (int size : new int[] {0, 50}) {
      List<TestSite> list = new ArrayList<>(TestSite.sites(size, 3));
      list.add(new TestSite("BB", 9866, "/r"));
      list.add(0, new TestSite("Aa", 9866, "/r"));
      for (long seed = 0; seed < 100; seed++) {
        List<TestSite> expected = sorted(list, seed);
        assertThat(first(new SiteOrder<>(seed, Sites.of(list)), list.size())).isEqualTo(expected);
        assertThat(expected.indexOf(list.get(list.size() - 1)))
            .isEqualTo(expected.indexOf(list.get(0)) + 1);
      }
    }
  }

  @Test
  void firstSitesOfSetsAreDistinct() {
    List<TestSite> list = TestSite.sites(40, 4);
    for (long seed = 0; seed < 50; seed++) {
      for (int sets : new int[] {1, 7, 39, 40}) {
        assertThat(Sites.of(list).firsts(seed, sets)).hasSize(sets).doesNotHaveDuplicates();
      }
    }
  }

  private static List<TestSite> first(SiteOrder<TestSite> order, int count) {
    return IntStream.range(0, count).mapToObj(order::get).toList();
  }

  private static List<TestSite> sorted(List<TestSite> sites, long seed) {
    return sites.stream()
        .sorted(
            Comparator.comparingLong((TestSite site) -> score(seed, site))
                .reversed()
                .thenComparing(TestSite::host)
                .thenComparing(TestSite::port))
        .toList();
  }

  private static long score(long seed, TestSite site) {
    long identity = ((long) site.host().hashCode() << 32) | site.port();
    return StableHash.mix(seed ^ StableHash.mix(identity));
  }
}
