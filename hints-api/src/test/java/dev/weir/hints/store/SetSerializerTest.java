package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SetSerializerTest {

  @Test
  void decodesWhatItEncodes() throws IOException {
    for (int files : new int[] {1, 10_000}) {
      HintSet set = set(files, "f");
      assertThat(SetSerializer.decode(SetSerializer.encode(set), "memory")).isEqualTo(set);
    }
  }

  @Test
  void writerRejectsSetTooLargeToUnpack() {
    HintSet set = set(5_000, "f".repeat(4_000));
    assertThatThrownBy(() -> SetSerializer.encode(set))
        .isInstanceOf(SetTooBigException.class)
        .hasMessageMatching(
            "hint set 's' is \\d+ bytes as JSON, more than "
                + SetSerializer.MAX_UNPACKED
                + "; use fewer rules, with wildcards, or several sets");
  }

  private static HintSet set(int files, String name) {
    List<Rule> rules =
        IntStream.range(0, files)
            .mapToObj(i -> new Rule(PathPattern.parse("/d/" + name + i), HintPresets.pipeline()))
            .toList();
    return new HintSet("s", "alice", null, rules);
  }
}
