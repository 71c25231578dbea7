package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClientRulesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void anIndexWithoutRulesHasNoValue() {
    ClientRules encoded = ClientRules.of(HintIndex.empty());
    assertThat(encoded.value()).isEmpty();
    assertThat(encoded.leftOut()).isZero();
  }

  @Test
  void aClientFindsTheRulesThatTheIndexFinds() {
    HintIndex index =
        HintIndex.of(
            List.of(
                set("b", rule("/a/**", 4), rule("/a/x*", 5), rule("/same/*", 8)),
                set("a", rule("/a/b/**", 6), rule("/same/*", 7), rule("/exact/f", 9))));
    HintIndex decoded = decode(ClientRules.of(index).value());
    for (String path :
        List.of("/a/f", "/a/x1", "/a/b/f", "/same/f", "/exact/f", "/exact/g", "/a/f._COPYING_")) {
      assertThat(replicas(decoded, path)).as(path).isEqualTo(replicas(index, path));
    }
  }

  @Test
  void rulesAreForTheFileSystemWhateverItsClientsCallIt() {
    HintIndex index =
        HintIndex.empty("ns1")
            .with(set("a", rule("hdfs://ns1/a/**", 4), rule("hdfs://ns2/b/**", 5)), 1);
    HintIndex decoded = decode(ClientRules.of(index).value());
    assertThat(replicas(decoded, "/a/f")).contains(4);
    assertThat(replicas(decoded, "/b/f")).isEmpty();
  }

  @Test
  void leavesOutTheSetsOfRuns() {
    HintIndex index =
        HintIndex.of(List.of(set("application_1_0001", rule("/run/**", 4)), set("a")));
    assertThat(ClientRules.of(index).leftOut()).isZero();
    assertThat(ClientRules.of(index).value()).isEmpty();
  }

  @Test
  void leavesOutLongSetsAndWhatTheyMayOverride() {
    Rule[] many =
        IntStream.range(0, 5_000)
            .mapToObj(i -> rule("/data/big/" + i + "-" + Integer.toHexString(i * 0x9e3779b9), 2))
            .toArray(Rule[]::new);
    HintIndex index =
        HintIndex.of(
            List.of(
                set("long", many),
                set("a", rule("/data/**", 4), rule("/data/small/**", 5), rule("/other/**", 6)),
                set("b", rule("/data/big/keep/**", 7))));
    ClientRules encoded = ClientRules.of(index);
    assertThat(encoded.leftOut()).isEqualTo(1);
    assertThat(encoded.value()).hasSizeLessThan(ClientRules.MAX_BYTES);
    HintIndex decoded = decode(encoded.value());
    assertThat(replicas(decoded, "/data/big/17")).isEmpty();
    assertThat(replicas(decoded, "/data/f")).as("may be overridden").isEmpty();
    assertThat(replicas(decoded, "/data/small/f")).contains(5);
    assertThat(replicas(decoded, "/other/f")).contains(6);
  }

  @Test
  void manySetsFillTheValueWithoutExceedingIt() {
    List<HintSet> sets = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      String name = i + "-" + Integer.toHexString(i * 0x9e3779b9);
      sets.add(set("s" + i, rule("/user/" + name + "/data/**", 4)));
    }
    ClientRules encoded = ClientRules.of(HintIndex.of(sets));
    assertThat(encoded.value()).hasSizeBetween(1_000, ClientRules.MAX_BYTES);
    assertThat(decode(encoded.value()).size() + encoded.leftOut()).isEqualTo(3_000);
  }

  @Test
  void expiresWithItsFirstSet() {
    HintIndex index =
        HintIndex.of(
            List.of(
                new HintSet("a", "alice", NOW.plusSeconds(9), List.of(rule("/a/**", 4))),
                new HintSet("b", "alice", NOW.plusSeconds(5), List.of(rule("/b/**", 4)))));
    byte[] value = ClientRules.of(index).value();
    assertThat(ClientRules.decode(value, "nn", NOW.plusSeconds(4)).size()).isEqualTo(2);
    assertThat(ClientRules.decode(value, "nn", NOW.plusSeconds(5)).size()).isZero();
  }

  private static HintIndex decode(byte[] value) {
    return ClientRules.decode(value, "another-name", NOW);
  }

  private static Optional<Integer> replicas(HintIndex index, String path) {
    return index.lookup(path).map(match -> match.hint().replication().orElseThrow().target());
  }

  private static HintSet set(String id, Rule... rules) {
    return new HintSet(id, "alice", null, List.of(rules));
  }

  private static Rule rule(String pattern, int replicas) {
    Hint hint = HintPresets.broadcast(replicas);
    return new Rule(PathPattern.parse(pattern), hint);
  }
}
