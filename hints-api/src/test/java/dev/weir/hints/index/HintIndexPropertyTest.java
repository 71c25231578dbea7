package dev.weir.hints.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.SlowHints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The index gives the same results as {@link SlowHints} after any sequence of changes. */
class HintIndexPropertyTest {
  private static final int SEEDS = Integer.getInteger("weir.fuzz.count", 1000);
  private static final List<String> FILE_SYSTEMS = List.of("", "", "ns1", "ns2:8020");

  private static final List<String> NAMES =
      List.of("a", "a", "b", "b", "ab", "a.weir-1", ".weir-1");
  private static final List<String> ENDINGS =
      List.of("", "", "", "._COPYING_", ".weir-t1-2", ".weir-t1.weir-2", "._COPYING_.weir-3");
  private static final List<String> WILD =
      List.of(
          "*",
          "**",
          "**",
          "?",
          "a*",
          "*b",
          "a?",
          "?b",
          "a*c",
          "?*",
          "{a,b}",
          "{a,b*}",
          "{ab,a?c}c",
          "a{,b}",
          "{a,b}{,c}",
          "\\a",
          "\\*",
          "*.weir-*",
          "*._COPYING_",
          "a._COPYING_",
          "[a]");

  @Test
  void matchesExhaustiveSearch() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      String authority = one(random, FILE_SYSTEMS);
      Map<String, HintSet> sets = new TreeMap<>();
      HintIndex grown = HintIndex.empty(authority);
      for (int step = 0; step < 8; step++) {
        String id = "s" + random.nextInt(5);
        if (random.nextInt(4) == 0) {
          sets.remove(id);
          grown = grown.without(id);
        } else {
          sets.put(id, set(random, id));
          grown = grown.with(sets.get(id), step);
        }
      }
      HintIndex fresh = inAnyOrder(random, authority, sets);
      SlowHints slow = new SlowHints(authority, sets.values());
      for (int i = 0; i < 15; i++) {
        String path = path(random);
        assertThat(winner(grown, path))
            .as("seed %d path %s file system '%s' sets %s", seed, path, authority, sets.values())
            .isEqualTo(slow.winner(path))
            .isEqualTo(winner(fresh, path));
      }
      assertThat(grown.size()).as("seed %d", seed).isEqualTo(fresh.size());
    }
  }

  @Test
  void randomPathsIncludeHitsAndMisses() {
    int found = 0;
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      HintIndex index = HintIndex.of(List.of(set(random, "s1"), set(random, "s2")));
      found += index.lookup(path(random)).isPresent() ? 1 : 0;
    }
    assertThat(found).as("hits among 500 random paths").isBetween(150, 400);
  }

  private static HintIndex inAnyOrder(Random random, String authority, Map<String, HintSet> sets) {
    List<HintSet> shuffled = new ArrayList<>(sets.values());
    Collections.shuffle(shuffled, random);
    HintIndex index = HintIndex.empty(authority);
    for (HintSet set : shuffled) {
      index = index.with(set, 1);
    }
    return index;
  }

  private static HintSet set(Random random, String id) {
    List<Rule> rules =
        IntStream.rangeClosed(0, random.nextInt(16))
            .mapToObj(i -> pattern(random))
            .distinct()
            .map(text -> new Rule(PathPattern.parse(text), HintPresets.pipeline()))
            .toList();
    return new HintSet(id, "alice", null, rules);
  }

  private static String pattern(Random random) {
    String authority = one(random, FILE_SYSTEMS);
    StringBuilder text = new StringBuilder(authority.isEmpty() ? "" : "hdfs://" + authority);
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append('/').append(one(random, random.nextBoolean() ? NAMES : WILD));
    }
    return text.toString();
  }

  private static String path(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append('/').append(one(random, NAMES));
    }
    return text.append(one(random, ENDINGS)).toString();
  }

  private static String one(Random random, List<String> words) {
    return words.get(random.nextInt(words.size()));
  }

  private static Optional<String> winner(HintIndex index, String path) {
    return index.lookup(path).map(match -> match.set().id() + " " + match.pattern());
  }
}
