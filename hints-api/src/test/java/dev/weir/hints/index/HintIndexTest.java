package dev.weir.hints.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HintIndexTest {

  @Test
  void emptyIndexFindsNothing() {
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
  void tiesGoToFirstSetIdThenFirstRule() {
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
  void unfinishedFileIsLookedUpByFinalName() {
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
  void fileOfACommitterIsLookedUpByFinalName() {
    String attempt = "/_temporary/0/_temporary/attempt_1_0001_m_000000_0/";
    HintIndex index = HintIndex.of(List.of(set("s", "/out/part-0", "/o/**", "/t/ds=1/*")));
    assertThat(winner(index, "/out" + attempt + "part-0")).hasValue("s /out/part-0");
    assertThat(winner(index, "/out/_temporary/0/task_1/part-0")).hasValue("s /out/part-0");
    assertThat(winner(index, "/out" + attempt + "part-1")).isEmpty();
    assertThat(winner(index, "/o" + attempt + "part-1")).hasValue("s /o/**");
    assertThat(winner(index, "/t/.hive-staging_1/-ext-10000/ds=1/000000_0"))
        .hasValue("s /t/ds=1/*");
    assertThat(winner(index, "/o/.distcp.tmp.attempt_1_0001_m_000000_0.17")).hasValue("s /o/**");
  }

  @Test
  void gatherRegionIsLookedUpByTargetFile() {
    HintIndex index = HintIndex.of(List.of(set("s", "/d/x", "/d/*", "/d/**", "/e/.z.*/*")));
    assertThat(winner(index, "/d/.x.weir-gather-1/part-00000")).hasValue("s /d/x");
    assertThat(winner(index, "/d/.x.weir-gather-1/part-00000.1f")).hasValue("s /d/x");
    assertThat(winner(index, "/d/.y.weir-gather-1/part-00000")).hasValue("s /d/*");
    assertThat(winner(index, "/d/.weir-gather-1/part-00000")).hasValue("s /d/**");
    assertThat(winner(index, "/d/.y.weir-gather-1/other")).hasValue("s /d/**");
    assertThat(winner(index, "/d/y.weir-gather-1/part-0")).hasValue("s /d/**");
    assertThat(winner(index, "/e/.z.weir-gather-1/part-0")).hasValue("s /e/.z.*/*");
    assertThat(winner(index, "/part-0")).isEmpty();
  }

  @Test
  void matchesExhaustiveSearch() {
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
            .isEqualTo(searchAll(set, path));
      }
    }
  }

  @Test
  void incrementalChangesMatchFreshIndex() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      HintIndex index = HintIndex.empty();
      Map<String, HintSet> present = new TreeMap<>();
      for (int step = 0; step < 60; step++) {
        String id = "s" + random.nextInt(6);
        if (random.nextInt(3) == 0) {
          present.remove(id);
          index = index.without(id);
        } else {
          HintSet set = randomSet(random, id);
          present.put(id, set);
          index = index.with(set, step);
          assertThat(index.set(id)).hasValue(SetInfo.of(set, step, Instant.EPOCH));
        }
        String path = randomPath(random, "a", "b", "aa", "ab", "a._COPYING_", "b.weir-1");
        assertThat(winner(index, path))
            .as("seed %d step %d path %s", seed, step, path)
            .isEqualTo(winner(HintIndex.of(present.values()), path))
            .isEqualTo(searchAll(present.values(), path));
        assertThat(index.size()).isEqualTo(HintIndex.of(present.values()).size());
        assertThat(index.sets())
            .extracting(SetInfo::id)
            .containsExactlyElementsOf(present.keySet());
      }
    }
  }

  private static HintSet randomSet(Random random, String id) {
    List<String> patterns = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      patterns.add(randomPath(random, "a", "b", "a", "b", "*", "**", "a*", "?", "{a,b}", "\\a"));
    }
    return set(id, patterns.stream().distinct().toArray(String[]::new));
  }

  /** The reference implementation. */
  private static Optional<String> searchAll(Collection<HintSet> sets, String path) {
    return searchAll(sets, path, true)
        .or(() -> searchAll(sets, target(path), false))
        .or(() -> searchAll(sets, path, false));
  }

  private static String target(String path) {
    return path.replaceFirst("(\\._COPYING_|\\.weir-[^/]*)$", "");
  }

  private static Optional<String> searchAll(
      Collection<HintSet> sets, String path, boolean literalOnly) {
    String bestName = null;
    PathPattern best = null;
    for (HintSet set : sets) {
      for (Rule rule : set.rules()) {
        PathPattern pattern = rule.pattern();
        boolean counts = pattern.matches(path) && (!literalOnly || pattern.isLiteral());
        if (counts && (best == null || hasPrecedence(pattern, best))) {
          best = pattern;
          bestName = set.id() + " " + pattern;
        }
      }
    }
    return Optional.ofNullable(bestName);
  }

  private static boolean hasPrecedence(PathPattern one, PathPattern other) {
    if (one.isLiteral() != other.isLiteral()) {
      return one.isLiteral();
    }
    return PathPattern.mostSpecificFirst().compare(one, other) < 0;
  }

  @Test
  void indexIgnoresRulesOfOtherFileSystems() {
    HintSet set = set("s", "hdfs://one/x", "hdfs://two:8020/x", "/y", "hdfs://one/d/*");
    HintIndex one = HintIndex.empty("one").with(set, 5);
    assertThat(winner(one, "/x")).hasValue("s hdfs://one/x");
    assertThat(winner(one, "/d/z")).hasValue("s hdfs://one/d/*");
    assertThat(winner(one, "/y")).hasValue("s /y");
    assertThat(one.size()).isEqualTo(3);
    assertThat(one.set("s").orElseThrow().rules()).as("of the set itself").isEqualTo(4);
    assertThat(winner(HintIndex.empty("two:8020").with(set, 5), "/x"))
        .hasValue("s hdfs://two:8020/x");
    assertThat(HintIndex.of(List.of(set)).lookup("/x")).isEmpty();
  }

  @Test
  void keepsPatternAsWritten() {
    assertThat(winner(HintIndex.of(List.of(set("s", "/a/\\*\\b"))), "/a/*b"))
        .hasValue("s /a/\\*\\b");
  }

  @Test
  void distinguishesPathsWithEqualHash() {
    List<String> alike = new ArrayList<>(List.of("Aa", "BB"));
    for (int i = 0; i < 4; i++) {
      alike = alike.stream().flatMap(name -> Stream.of(name + "Aa", name + "BB")).toList();
    }
    String[] paths = alike.stream().map(name -> "/" + name).toArray(String[]::new);
    assertThat(paths).extracting(String::hashCode).containsOnly(paths[0].hashCode());
    HintIndex index = HintIndex.of(List.of(set("s", paths)));
    for (String path : paths) {
      assertThat(winner(index, path)).hasValue("s " + path);
    }
    assertThat(winner(index, "/" + "Aa".repeat(4) + "Bb")).isEmpty();
    assertThat(index.without("s").size()).isZero();
    assertThat(index.without("s").lookup(paths[3])).isEmpty();
  }

  @Test
  void missAllocatesNothing() {
    List<HintSet> sets = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sets.add(set("s" + i, "/run/r" + i + "/x*.fits", "/run/r" + i + "/a", "/run/*/b" + i + "*"));
    }
    HintIndex index = HintIndex.of(sets);
    String[] paths = {"/run/r7/y.fits", "/run/r7/xyz", "/other/a/b/c/d/e", "/run/r7/part-0"};
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    // The first rounds also load classes.
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (String path : paths) {
        if (index.lookup(path).isPresent()) {
          throw new AssertionError(path);
        }
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertThat(least).isZero();
  }

  @Test
  void lookupTriesLimitedNumberOfPatterns() {
    String[] patterns = new String[PatternTable.MAX_TRIED + 1];
    for (int i = 0; i < patterns.length; i++) {
      patterns[i] = "/run/*/x" + i;
    }
    HintIndex index = HintIndex.of(List.of(set("s", patterns), set("t", "/other/*")));
    assertThat(winner(index, "/run/a/x" + (PatternTable.MAX_TRIED - 1))).isPresent();
    assertThat(winner(index, "/run/a/x" + PatternTable.MAX_TRIED)).isEmpty();
    assertThat(winner(index, "/other/x")).hasValue("t /other/*");
  }

  @Test
  void limitCoversAllDirectoriesAndPrefixes() {
    String[] deep = new String[PatternTable.MAX_TRIED - 1];
    for (int i = 0; i < deep.length; i++) {
      deep[i] = (i % 2 == 0 ? "/run/a/*/x" : "/run/a/b*/x") + i;
    }
    HintIndex index = HintIndex.of(List.of(set("deep", deep), set("t", "/run/*/b/?", "/**")));
    assertThat(winner(index, "/run/a/b/c"))
        .as("the last that may be tried")
        .hasValue("t /run/*/b/?");
    assertThat(winner(index, "/run/a/c/c"))
        .as("half of the patterns have another prefix")
        .hasValue("t /**");
    HintIndex one = index.with(set("one", "/run/a/b*/y"), 1);
    assertThat(winner(one, "/run/a/b/c")).as("one too many").isEmpty();
    assertThat(winner(one, "/run/z/b/c")).as("elsewhere").hasValue("t /run/*/b/?");
  }

  private static Optional<Rule> searchAll(HintSet set, String path) {
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
      rules.add(new Rule(PathPattern.parse(pattern), HintPresets.pipeline()));
    }
    return new HintSet(id, "alice", null, rules);
  }
}
