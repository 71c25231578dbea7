package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CachedPathsTest extends ReconciliationFixture {
  @Test
  void cachesPathsWhileRulesExist() throws Exception {
    namespace.create("/f");
    set("s", "/f", "reuse");
    set("t", "/d/**", "cache");
    set("u", "/x/*.dat", "cache");
    catchUp();
    assertThat(namespace.cached()).containsExactlyInAnyOrder("/f", "/d");
    store.remove("s");
    catchUp();
    assertThat(namespace.cached()).containsExactly("/d");
    reconciliation = fresh(List.of());
    store.remove("t");
    store.remove("u");
    catchUp();
    assertThat(namespace.cached()).isEmpty();
  }

  @Test
  void cachesAndFollowsFilesOfPatterns() throws Exception {
    namespace.mkdir("/db");
    namespace.create("/db/a.fa");
    namespace.create("/db/a.txt");
    set("s", "/db/**/*.fa", "reuse");
    catchUp();
    assertThat(namespace.cached()).containsExactly("/db/a.fa");
    namespace.create("/db/b.fa");
    namespace.rename("/db/a.fa", "/db/c.fa");
    namespace.mkdir("/elsewhere");
    namespace.create("/elsewhere/d.fa");
    namespace.rename("/elsewhere", "/db/new");
    catchUp();
    assertThat(namespace.cached())
        .containsExactlyInAnyOrder("/db/b.fa", "/db/c.fa", "/db/new/d.fa");
    // The limit of this test is three.
    namespace.create("/db/e.fa");
    catchUp();
    assertThat(namespace.cached()).hasSize(3);
    assertThat(counters.cacheLeftOut.value()).isEqualTo(1);
    namespace.rename("/db/new", "/gone");
    namespace.remove("/db/b.fa");
    catchUp();
    assertThat(namespace.cached()).containsExactly("/db/c.fa");
    reconciliation = fresh(List.of());
    store.remove("s");
    catchUp();
    assertThat(namespace.cached()).isEmpty();
  }

  @Test
  void warnsWithoutCacheCapacity() throws Exception {
    namespace.cacheCapacity(0);
    catchUp();
    assertThat(counters.cachedInVain.value()).isZero();
    set("s", "/f", "reuse");
    catchUp();
    assertThat(counters.cachedInVain.value()).isEqualTo(1);
    namespace.cacheCapacity(1 << 20);
    catchUp();
    assertThat(counters.cachedInVain.value()).isZero();
  }
}
