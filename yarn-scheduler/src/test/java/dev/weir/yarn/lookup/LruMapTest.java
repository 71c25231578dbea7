package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LruMapTest {

  private final LruMap<String, Integer> recent = new LruMap<>(2);

  @Test
  void evictsTheLeastRecentlyUsed() {
    assertThat(recent.put("a", 1)).isNull();
    assertThat(recent.put("b", 2)).isNull();
    assertThat(recent.get("a")).isEqualTo(1);

    assertThat(recent.put("c", 3)).isEqualTo(2);
    assertThat(recent.get("b")).isNull();
    assertThat(recent.removeAll()).containsExactly(1, 3);
    assertThat(recent.get("a")).isNull();
  }

  @Test
  void returnsReplacedValues() {
    recent.put("a", 1);

    assertThat(recent.put("a", 2)).isEqualTo(1);
    assertThat(recent.remove("a")).isEqualTo(2);
    assertThat(recent.remove("a")).isNull();
  }

  @Test
  void computesAbsentValues() {
    assertThat(recent.computeIfAbsent("a", () -> 1)).isEqualTo(1);
    assertThat(recent.computeIfAbsent("a", () -> 2)).isEqualTo(1);
    recent.computeIfAbsent("b", () -> 2);
    recent.computeIfAbsent("c", () -> 3);
    assertThat(recent.get("a")).isNull();
  }
}
