package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HintIndexTest {

  @Test
  void anEmptyIndexAnswersNothing() {
    assertThat(HintIndex.empty().lookup("/a")).isEmpty();
    assertThat(HintIndex.empty().version()).isZero();
    assertThat(HintIndex.empty().size()).isZero();
  }

  @Test
  void theMostSpecificRuleWins() {
    HintIndex index =
        HintIndex.of(
            List.of(set("s", "/run/**", "/run/p/*.fits", "/run/p/x.fits", "/run/p/x*.fits")), 7);
    assertThat(winner(index, "/run/p/x.fits")).hasValue("s /run/p/x.fits");
    assertThat(winner(index, "/run/p/xy.fits")).hasValue("s /run/p/x*.fits");
    assertThat(winner(index, "/run/p/y.fits")).hasValue("s /run/p/*.fits");
    assertThat(winner(index, "/run/p/q/y.fits")).hasValue("s /run/**");
    assertThat(winner(index, "/other")).isEmpty();
    assertThat(winner(index, "run/p/x.fits")).isEmpty();
    assertThat(index.version()).isEqualTo(7);
    assertThat(index.size()).isEqualTo(4);
  }

  @Test
  void betweenEqualsTheSetThatSortsFirstAndTheRuleWrittenFirstWin() {
    HintSet b = set("b", "/a/x*", "/same");
    HintSet a = set("a", "/a/?x", "/a/x?", "/same");
    for (List<HintSet> sets : List.of(List.of(a, b), List.of(b, a))) {
      HintIndex index = HintIndex.of(sets);
      assertThat(winner(index, "/a/xx")).hasValue("a /a/?x");
      assertThat(winner(index, "/a/xy")).hasValue("a /a/x?");
      assertThat(winner(index, "/a/xyz")).hasValue("b /a/x*");
      assertThat(winner(index, "/same")).hasValue("a /same");
    }
  }

  @Test
  void anUnfinishedFileIsLookedUpByItsNameToCome() {
    HintIndex index =
        HintIndex.of(List.of(set("s", "/d/x", "/d/**", "/d/z.weir-1", "/e/*.weir-*")));
    assertThat(winner(index, "/d/x._COPYING_")).hasValue("s /d/x");
    assertThat(winner(index, "/d/x.weir-t7-1")).hasValue("s /d/x");
    assertThat(winner(index, "/d/y.weir-t7-1")).hasValue("s /d/**");
    assertThat(winner(index, "/d/z.weir-1")).hasValue("s /d/z.weir-1");
    assertThat(winner(index, "/e/z.weir-1")).hasValue("s /e/*.weir-*");
    assertThat(winner(index, "/d/.weir-1")).hasValue("s /d/**");
    assertThat(winner(index, "/d.weir-1/x")).isEmpty();
  }

  @Test
  void answersAsTryingEveryRuleWould() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      List<String> patterns = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        patterns.add(randomPath(random, "a", "b", "*", "**", "a*", "?", "{a,b}"));
      }
      HintSet set = set("s", patterns.stream().distinct().toArray(String[]::new));
      HintIndex index = HintIndex.of(List.of(set));
      for (int i = 0; i < 50; i++) {
        String path = randomPath(random, "a", "b", "aa", "ab");
        assertThat(index.lookup(path).map(Match::rule))
            .as("seed %d path %s", seed, path)
            .isEqualTo(tryEvery(set, path));
      }
    }
  }

  @Test
  void aLookUpTriesOnlySoManyPatternsThatBeginAlike() {
    String[] patterns = new String[PatternTrie.MAX_TRIED + 1];
    for (int i = 0; i < patterns.length; i++) {
      patterns[i] = "/run/*/x" + i;
    }
    HintIndex index = HintIndex.of(List.of(set("s", patterns), set("t", "/other/*")));
    assertThat(winner(index, "/run/a/x" + (PatternTrie.MAX_TRIED - 1))).isPresent();
    assertThat(winner(index, "/run/a/x" + PatternTrie.MAX_TRIED)).isEmpty();
    assertThat(winner(index, "/other/x")).hasValue("t /other/*");
  }

  private static Optional<Rule> tryEvery(HintSet set, String path) {
    Comparator<Rule> literalFirst = Comparator.comparing(rule -> !rule.pattern().isLiteral());
    return set.rules().stream()
        .filter(rule -> rule.pattern().matches(path))
        .min(literalFirst.thenComparing(Rule::pattern, PathPattern.mostSpecificFirst()));
  }

  private static String randomPath(Random random, String... names) {
    StringBuilder path = new StringBuilder();
    int depth = 1 + random.nextInt(4);
    for (int i = 0; i < depth; i++) {
      path.append('/').append(names[random.nextInt(names.length)]);
    }
    return path.toString();
  }

  private static Optional<String> winner(HintIndex index, String path) {
    return index.lookup(path).map(match -> match.set().id() + " " + match.rule().pattern());
  }

  private static HintSet set(String id, String... patterns) {
    List<Rule> rules = new ArrayList<>();
    for (String pattern : patterns) {
      rules.add(new Rule(PathPattern.parse(pattern), Presets.pipeline()));
    }
    return new HintSet(id, "alice", null, rules);
  }
}
