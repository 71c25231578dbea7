package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples and messages of docs/hints.md are correct. */
class HintsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "hints.md");

  @Test
  void exampleIsValidHintSet() throws IOException {
    Matcher example = Pattern.compile("(?s)```json\n(.*?)```").matcher(Files.readString(PAGE));
    assertThat(example.find()).isTrue();
    HintSet set = HintCodec.fromJson(example.group(1), PAGE.toString());
    assertThat(set.rules()).hasSize(3);
    assertThat(set.rules().get(1).hint()).isEqualTo(HintPresets.broadcast(6));
  }

  @Test
  void patternsAreOrderedBySpecificity() throws IOException {
    String page = Files.readString(PAGE);
    int start = page.indexOf("best first:");
    String list = page.substring(start, page.indexOf(". ", start));
    List<Rule> rules = new ArrayList<>();
    Matcher pattern = Pattern.compile("`([^`]+)`").matcher(list);
    while (pattern.find()) {
      rules.add(new Rule(PathPattern.parse(pattern.group(1)), HintPresets.reuse()));
    }
    assertThat(rules).hasSize(8);
    for (int i = 0; i < rules.size(); i++) {
      List<Rule> rest = rules.subList(i, rules.size());
      HintIndex index = HintIndex.of(List.of(new HintSet("s", "alice", null, rest)));
      assertThat(index.lookup("/run/p/x.fits").map(Match::rule)).hasValue(rules.get(i));
    }
  }

  @Test
  void messagesMatchCodec() throws IOException {
    assertThat(Files.readString(PAGE))
        .contains(": replication of -1 is negative; write 1 to 512")
        .contains(": pattern 'a/b' is a relative path at offset 0; begin it with a slash")
        .contains(": is not a known field; remove it; known are placement, ...");
    assertThatThrownBy(() -> new Replication(-1, Replication.Mode.LAZY))
        .hasMessage("replication of -1 is negative; write 1 to 512");
    assertThatThrownBy(() -> PathPattern.parse("a/b"))
        .hasMessage("pattern 'a/b' is a relative path at offset 0; begin it with a slash");
  }
}
