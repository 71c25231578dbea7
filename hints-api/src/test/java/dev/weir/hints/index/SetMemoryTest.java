package dev.weir.hints.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SetMemoryTest {
  @Test
  void anIndexAddsUpItsSets() {
    HintSet one = set("one", 10, i -> "/a/" + i);
    HintSet two = set("two", 20, i -> "/a/*/" + i);
    HintIndex index = HintIndex.of(List.of(one, two));
    assertThat(index.bytes()).isEqualTo(SetMemory.bytes(one) + SetMemory.bytes(two));
    HintSet longer = set("one", 11, i -> "/a/" + i);
    assertThat(index.with(longer, 2).bytes())
        .isEqualTo(SetMemory.bytes(longer) + SetMemory.bytes(two));
    assertThat(index.without("one").bytes()).isEqualTo(SetMemory.bytes(two));
    assertThat(index.without("one").without("two").bytes()).isZero();
  }

  @Test
  void growsWithRulesTextAndHints() {
    assertThat(perRule(i -> "/user/alice/run/file-" + i)).isBetween(200L, 300L);
    assertThat(perRule(i -> "/user/alice/run/file-" + i + "-*")).isBetween(1_000L, 2_000L);
    Hint group = HintPresets.reduce("g");
    Hint nodes = Hint.builder().placement(new Placement.Nodes(List.of("n1", "n2"))).build();
    long small = bytes(group);
    assertThat(bytes(nodes)).isGreaterThan(small);
    assertThat(bytes(HintPresets.reduce("g".repeat(100)))).isGreaterThan(small);
  }

  private static long bytes(Hint hint) {
    return SetMemory.bytes(
        new HintSet("s", "alice", null, List.of(new Rule(PathPattern.literal("/a"), hint))));
  }

  private static long perRule(IntFunction<String> pattern) {
    return SetMemory.bytes(set("s", 1_000, pattern)) / 1_000;
  }

  private static HintSet set(String id, int rules, IntFunction<String> pattern) {
    return new HintSet(
        id,
        "alice",
        null,
        IntStream.range(0, rules)
            .mapToObj(i -> new Rule(PathPattern.parse(pattern.apply(i)), HintPresets.pipeline()))
            .toList());
  }
}
