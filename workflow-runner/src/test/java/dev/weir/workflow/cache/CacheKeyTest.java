package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.transfer.DataStore.Version;
import dev.weir.workflow.transfer.Transfers;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how contents are assigned to locks. */
class CacheKeyTest {

  private static final int MANY = 20_000;

  @Test
  void smallAndLargeContentsHaveDifferentLocks() {
    Set<Integer> small = locks(300);
    Set<Integer> large = locks(Transfers.BULKY_BYTES);

    assertThat(small).doesNotContainAnyElementsOf(large).hasSizeGreaterThan(2_000);
    assertThat(large).hasSizeGreaterThan(2_000);
    assertThat(small).allMatch(lock -> lock >= 0 && lock < CacheDirectory.CONTENT_LOCKS);
    assertThat(large).allMatch(lock -> lock >= 0 && lock < CacheDirectory.CONTENT_LOCKS);
  }

  private static Set<Integer> locks(long length) {
    return IntStream.range(0, MANY)
        .mapToObj(i -> CacheKey.of("/data/" + i, new Version(i, length, 1)).lock())
        .collect(Collectors.toSet());
  }
}
