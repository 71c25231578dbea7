package dev.weir.hints.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HashTrieTest {
  private record Value(String key, int number) implements HashTrie.Keyed {}

  @Test
  void matchesHashMapUnderRandomChanges() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      int keys = 1 << (1 + random.nextInt(13));
      Map<String, Value> expected = new HashMap<>();
      HashTrie<Value> trie = HashTrie.empty();
      for (int step = 0; step < 3 * keys; step++) {
        String key = "/run/" + random.nextInt(keys);
        boolean shrinking = step > 2 * keys;
        if (random.nextInt(4) < (shrinking ? 3 : 1)) {
          expected.remove(key);
          trie = trie.without(key);
        } else {
          expected.put(key, new Value(key, step));
          trie = trie.with(new Value(key, step));
        }
      }
      assertHolds(trie, expected, "/run/", keys);
    }
  }

  @Test
  void distinguishesKeysWithEqualHash() {
    List<String> same = List.of("");
    for (int length = 0; length < 8; length++) {
      List<String> longer = new ArrayList<>();
      same.forEach(text -> longer.addAll(List.of(text + "Aa", text + "BB")));
      same = longer;
    }
    assertThat(same.stream().map(String::hashCode).distinct()).hasSize(1);
    HashTrie<Value> trie = HashTrie.empty();
    for (int i = 0; i < same.size(); i++) {
      trie = trie.with(new Value(same.get(i), i)).with(new Value("other" + i, i));
    }
    for (int i = 0; i < same.size(); i += 2) {
      trie = trie.without(same.get(i));
    }
    assertThat(trie.size()).isEqualTo(same.size() + same.size() / 2);
    for (int i = 0; i < same.size(); i++) {
      Value expected = i % 2 == 0 ? null : new Value(same.get(i), i);
      assertThat(trie.get(same.get(i))).isEqualTo(expected);
    }
    for (int i = 0; i < same.size(); i++) {
      trie = trie.without(same.get(i)).without("other" + i);
    }
    assertThat(trie.isEmpty()).isTrue();
  }

  @Test
  void changesDoNotAffectOlderVersions() {
    HashTrie<Value> trie = HashTrie.empty();
    Map<String, Value> expected = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      Value value = new Value("k" + i, i);
      expected.put(value.key(), value);
      trie = trie.with(value);
    }
    HashTrie<Value> changed = trie;
    for (int i = 0; i < 1000; i++) {
      changed = i % 3 == 0 ? changed.without("k" + i) : changed.with(new Value("k" + i, -i));
    }
    assertThat(changed.get("k1")).isEqualTo(new Value("k1", -1));
    assertHolds(trie, expected, "k", 1000);
  }

  @Test
  void findsRangeByIncrementalHash() {
    HashTrie<Value> trie = HashTrie.<Value>empty().with(new Value("/data/in", 7));
    String text = "/data/in/part";
    int data = HashTrie.hash(0, text, 0, 5);
    int in = HashTrie.hash(data, text, 5, 8);

    assertThat(data).isEqualTo("/data".hashCode());
    assertThat(trie.get(text, 0, 8, in)).isEqualTo(new Value("/data/in", 7));
    assertThat(trie.get(text, 0, 5, data)).isNull();
  }

  private static void assertHolds(
      HashTrie<Value> trie, Map<String, Value> expected, String beginning, int keys) {
    assertThat(trie.size()).isEqualTo(expected.size());
    for (int i = 0; i < keys; i++) {
      String key = beginning + i;
      assertThat(trie.get(key)).as(key).isEqualTo(expected.get(key));
    }
    Map<String, Value> all = new HashMap<>();
    trie.forEach(value -> all.put(value.key(), value));
    assertThat(all).isEqualTo(expected);
  }
}
