package dev.weir.hints.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every {@link HintStore}. */
abstract class HintStoreContract {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  static final Duration LONG = Duration.ofSeconds(30);

  final MutableClock clock = new MutableClock(START);

  /** Opens a store of the same sets as all others of the test. The test closes it. */
  abstract HintStore open(String role);

  @Test
  void newStoreIsEmpty() throws Exception {
    HintStore store = open("");
    assertThat(store.awaitLoaded(LONG)).isTrue();
    assertThat(store.snapshot().size()).isZero();
    assertThat(store.get("a")).isEmpty();
    assertThat(store.remove("a")).isFalse();
  }

  @Test
  void storesReplacesAndRemovesSet() throws Exception {
    HintStore store = open("");
    HintSet first = set("a", "/x", HintPresets.pipeline(), null);
    HintSet second = set("a", "/y", HintPresets.reuse(), START.plusSeconds(60));
    long one = store.put(first);
    assertThat(store.get("a")).hasValue(first);
    long two = store.put(second);
    assertThat(two).isGreaterThan(one);
    assertThat(store.get("a")).hasValue(second);
    assertThat(store.remove("a")).isTrue();
    assertThat(store.remove("a")).isFalse();
    assertThat(store.get("a")).isEmpty();
  }

  @Test
  void changesSetOnlyAtExpectedVersion() throws Exception {
    HintStore store = open("");
    HintSet first = set("a", "/x", HintPresets.pipeline(), null);
    HintSet second = set("a", "/y", HintPresets.reuse(), null);
    assertThatThrownBy(() -> store.put(first, 12345))
        .isInstanceOfSatisfying(
            VersionConflictException.class, e -> assertThat(e.actual()).isZero())
        .hasMessage(
            "hint set 'a' is absent, not at version 12345 as expected;"
                + " read it again and repeat the change");
    long one = store.put(first, VersionConflictException.ABSENT);
    assertThat(store.find("a").map(StoredSet::set)).hasValue(first);
    assertThat(store.find("a").map(StoredSet::version)).hasValue(one);
    assertThatThrownBy(() -> store.put(second, VersionConflictException.ABSENT))
        .isInstanceOfSatisfying(
            VersionConflictException.class, e -> assertThat(e.actual()).isEqualTo(one));
    long two = store.put(second, one);
    assertThat(two).isGreaterThan(one);
    assertThatThrownBy(() -> store.put(first, one)).isInstanceOf(VersionConflictException.class);
    assertThatThrownBy(() -> store.remove("a", one))
        .isInstanceOfSatisfying(
            VersionConflictException.class, e -> assertThat(e.actual()).isEqualTo(two));
    assertThat(store.find("a").map(StoredSet::version)).hasValue(two);
    await().atMost(LONG).until(() -> store.snapshot().version() >= two);
    SetInfo info = store.snapshot().set("a").orElseThrow();
    assertThat(info.version()).isEqualTo(two);
    assertThat(store.find("a").map(StoredSet::modified)).hasValue(info.modified());
    assertThat(store.snapshot().rules("a")).extracting(Match::rule).isEqualTo(second.rules());
    assertThat(store.remove("a", two)).isTrue();
    assertThat(store.remove("a", two)).isFalse();
  }

  @Test
  void concurrentWritersLoseNoUpdate() throws Exception {
    List<Thread> writers = new ArrayList<>();
    int each = 10;
    for (int i = 0; i < 4; i++) {
      HintStore store = open("");
      writers.add(
          new Thread(
              () -> {
                for (int added = 0; added < each; ) {
                  added += addOneRule(store) ? 1 : 0;
                }
              }));
    }
    writers.forEach(Thread::start);
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(open("").get("shared").orElseThrow().rules()).hasSize(4 * each);
  }

  private static boolean addOneRule(HintStore store) {
    try {
      Optional<StoredSet> present = store.find("shared");
      List<Rule> rules = new ArrayList<>();
      present.ifPresent(stored -> rules.addAll(stored.set().rules()));
      rules.add(new Rule(PathPattern.literal("/f" + rules.size()), HintPresets.pipeline()));
      long expected = present.map(StoredSet::version).orElse(VersionConflictException.ABSENT);
      store.put(new HintSet("shared", "alice", null, rules), expected);
      return true;
    } catch (VersionConflictException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void reportsStatus() throws Exception {
    HintStore store = open("");
    assertThat(store.awaitLoaded(LONG)).isTrue();
    store.put(set("a", "/x", HintPresets.pipeline(), null));
    long version = store.put(set("b", "/y", HintPresets.pipeline(), START.plusSeconds(60)));
    await().atMost(LONG).until(() -> store.snapshot().version() >= version);
    StoreStatus.Memory memory =
        new StoreStatus.Memory(store.snapshot().bytes(), HintSettings.DEFAULT_MEMORY, 0);
    assertThat(memory.bytes()).isPositive();
    assertThat(store.status())
        .isEqualTo(new StoreStatus(true, Duration.ZERO, version, 2, 2, memory, null));
  }

  @Test
  void listsExpiredSets() throws Exception {
    HintStore store = open("");
    assertThat(store.ids()).isEmpty();
    store.put(set("a", "/x", HintPresets.pipeline(), null));
    store.put(set("b", "/y", HintPresets.pipeline(), START.minusSeconds(60)));
    assertThat(store.ids()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void listsWatchers() throws Exception {
    HintStore writer = open("");
    assertThat(writer.watchers()).isEmpty();
    open(HintStore.ROLE_NAMENODE);
    open("client");
    long version = writer.put(set("a", "/x", HintPresets.pipeline(), null));
    assertThat(writer.awaitApplied(version, HintStore.ROLE_NAMENODE, LONG)).isTrue();
    assertThat(writer.awaitApplied(version, "client", LONG)).isTrue();
    assertThat(writer.watchers())
        .extracting(WatcherInfo::role)
        .containsExactly("client", HintStore.ROLE_NAMENODE);
    assertThat(writer.watchers())
        .allSatisfy(watcher -> assertThat(watcher.version()).isGreaterThanOrEqualTo(version));
    assertThat(
            writer.awaitApplied(
                version, HintStore.ROLE_NAMENODE, watcher -> false, Duration.ofMillis(50)))
        .as("a watcher that does not count")
        .isFalse();
  }

  @Test
  void allStoresSeeAllChanges() throws Exception {
    HintStore writer = open("");
    HintStore reader = open("");
    writer.put(set("a", "/x/*", HintPresets.pipeline(), null));
    long version = writer.put(set("b", "/x/y", HintPresets.reuse(), null));
    await().atMost(LONG).until(() -> reader.snapshot().version() >= version);
    assertThat(reader.snapshot().lookup("/x/y").map(Match::hint)).hasValue(HintPresets.reuse());
    assertThat(reader.snapshot().lookup("/x/z").map(Match::hint)).hasValue(HintPresets.pipeline());
    writer.remove("b");
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(reader.snapshot().lookup("/x/y").map(Match::hint))
                    .hasValue(HintPresets.pipeline()));
    assertThat(reader.snapshot().version()).isGreaterThan(version);
  }

  @Test
  void snapshotDoesNotChange() throws Exception {
    HintStore store = open("");
    assertThat(store.awaitLoaded(LONG)).isTrue();
    HintIndex before = store.snapshot();
    long version = store.put(set("a", "/x", HintPresets.pipeline(), null));
    await().atMost(LONG).until(() -> store.snapshot().version() >= version);
    assertThat(before.lookup("/x")).isEmpty();
  }

  @Test
  void indexOmitsExpiredSets() throws Exception {
    HintStore store = open("");
    long version = store.put(set("a", "/x", HintPresets.pipeline(), START.plusSeconds(60)));
    store.put(set("b", "/y", HintPresets.pipeline(), START.plusSeconds(90)));
    await().atMost(LONG).until(() -> store.snapshot().version() > version);
    assertThat(store.snapshot().lookup("/x")).isPresent();
    clock.advance(Duration.ofSeconds(60));
    await().atMost(LONG).until(() -> store.snapshot().lookup("/x").isEmpty());
    assertThat(store.snapshot().lookup("/y")).isPresent();
    assertThat(store.get("a")).isPresent();
  }

  @Test
  void awaitsWatchersOfRole() throws Exception {
    HintStore writer = open("");
    long version = writer.put(set("a", "/x", HintPresets.pipeline(), null));
    assertThat(writer.awaitApplied(version, HintStore.ROLE_NAMENODE, Duration.ofMillis(50)))
        .as("no process watches yet")
        .isFalse();
    HintStore watcher = open(HintStore.ROLE_NAMENODE);
    assertThat(writer.awaitApplied(version, HintStore.ROLE_NAMENODE, LONG)).isTrue();
    assertThat(watcher.snapshot().lookup("/x")).isPresent();
    assertThat(writer.awaitApplied(version, "client", Duration.ofMillis(50)))
        .as("a watcher of another role")
        .isFalse();
    long next = writer.put(set("a", "/y", HintPresets.pipeline(), null));
    assertThat(writer.awaitApplied(next, HintStore.ROLE_NAMENODE, LONG)).isTrue();
    assertThat(watcher.snapshot().lookup("/y")).isPresent();
    watcher.close();
    await()
        .atMost(LONG)
        .until(() -> !writer.awaitApplied(next, HintStore.ROLE_NAMENODE, Duration.ofMillis(50)));
  }

  @Test
  void storesSetOfTenThousandFiles() throws Exception {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      PathPattern file = PathPattern.literal("/user/alice/run-1/data/corrected_" + i + ".fits");
      rules.add(new Rule(file, HintPresets.reduce("task-" + i % 7)));
    }
    HintSet set = new HintSet("big", "alice", null, rules);
    HintStore store = open("");
    long version = store.put(set);
    await().atMost(LONG).until(() -> store.snapshot().version() >= version);
    assertThat(store.snapshot().size()).isEqualTo(10_000);
    assertThat(store.get("big")).hasValue(set);
  }

  @Test
  void rejectsInvalidId() {
    HintStore store = open("");
    assertThatThrownBy(() -> store.get("a/b")).isInstanceOf(InvalidHintException.class);
    assertThatThrownBy(() -> store.remove("..")).isInstanceOf(InvalidHintException.class);
  }

  @Test
  void closeIsIdempotent() {
    HintStore store = open("x");
    store.close();
    store.close();
    assertThat(store.snapshot().size()).isZero();
  }

  static HintSet set(String id, String pattern, Hint hint, @Nullable Instant expires) {
    return new HintSet(id, "alice", expires, List.of(new Rule(PathPattern.parse(pattern), hint)));
  }
}
