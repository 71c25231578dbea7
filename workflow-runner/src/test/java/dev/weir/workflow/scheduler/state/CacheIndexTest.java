package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheIndexTest {

  private final CacheIndex cacheIndex = new CacheIndex(3);

  @Test
  void aNodeCountsOnceWithTheGreaterNumberOfBytes() {
    cacheIndex.add("n1", "a", 10);
    cacheIndex.add("n2", "a", 10);

    assertThat(cacheIndex.merged(Map.of("n1", 4L, "n3", 7L), "a"))
        .isEqualTo(Map.of("n1", 10L, "n2", 10L, "n3", 7L));
    assertThat(cacheIndex.merged(Map.of("n1", 4L), "b")).isEqualTo(Map.of("n1", 4L));
  }

  @Test
  void removedEntriesAreGone() {
    cacheIndex.add("n1", "a", 10);
    cacheIndex.add("n2", "a", 10);

    cacheIndex.remove("n1", "a");
    cacheIndex.remove("n1", "never kept");

    assertThat(cacheIndex.nodes("a")).isEqualTo(Map.of("n2", 10L));
  }

  @Test
  void allEntriesOfANodeOrAFileAreRemoved() {
    cacheIndex.add("n1", "a", 10);
    cacheIndex.add("n1", "b", 20);
    cacheIndex.add("n2", "a", 10);

    cacheIndex.forgetNode("n1");
    assertThat(cacheIndex.nodes("a")).isEqualTo(Map.of("n2", 10L));
    assertThat(cacheIndex.nodes("b")).isEmpty();

    cacheIndex.forgetFile("a");
    assertThat(cacheIndex.nodes("a")).isEmpty();
  }

  @Test
  void theOldestEntriesAreRemovedBeyondTheMaximum() {
    for (int i = 0; i < 5; i++) {
      cacheIndex.add("n1", "f" + i, 10);
    }

    assertThat(cacheIndex.nodes("f1")).isEmpty();
    assertThat(cacheIndex.nodes("f2")).isEqualTo(Map.of("n1", 10L));
    cacheIndex.forgetNode("n1");
    assertThat(cacheIndex.nodes("f4")).isEmpty();
  }
}
