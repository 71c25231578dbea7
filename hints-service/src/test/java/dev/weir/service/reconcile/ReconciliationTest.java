package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.Match;
import dev.weir.hints.PathPattern;
import dev.weir.hints.PathSets;
import dev.weir.hints.Rule;
import dev.weir.hints.SetInfo;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final List<String> TEXTS = List.of("pipeline", "broadcast=5", "local,keep");

  private final SteppingClock clock = new SteppingClock();
  private final FakeNamespace namespace = new FakeNamespace(clock);
  private final InMemoryHintStore store = new InMemoryHintStore(clock);
  private final Counters counters = Counters.register(new MetricsSystemImpl("test"));
  private Reconciliation reconciliation = fresh(List.of());
  private int handled;

  /** Each look at it is a moment later. */
  private static final class SteppingClock extends Clock {
    private Instant now = START;

    void advance(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      now = now.plusMillis(1);
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneId.of("UTC");
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private Reconciliation fresh(Collection<CreatedFile> files) {
    Reconciliation made =
        new Reconciliation(
            namespace, store, new Admission(32, user -> user.equals("root")), counters);
    made.resume(files, Instant.EPOCH);
    return made;
  }

  private void catchUp() throws IOException {
    handle();
    reconciliation.followSets();
    reconciliation.followTime(clock.instant());
    reconciliation.followTime(clock.instant());
  }

  private void handle() throws IOException {
    while (handled < namespace.edits().size()) {
      reconciliation.handle(namespace.edits().get(handled));
      handled++;
    }
  }

  private void set(String id, String pattern, String hint) {
    store.put(set(id, pattern, HintText.parse(hint), null));
    // Beyond what the clocks may differ by.
    clock.advance(Duration.ofSeconds(5));
  }

  private static HintSet set(String id, String pattern, Hint hint, @Nullable Instant expires) {
    return new HintSet(id, "alice", expires, List.of(new Rule(PathPattern.parse(pattern), hint)));
  }

  /** Pattern and hint of each path's own set. */
  private Map<String, String> pathRules() {
    Map<String, String> rules = new HashMap<>();
    for (SetInfo set : store.snapshot().sets()) {
      if (PathSets.isOne(set.id())) {
        for (Match match : store.snapshot().rules(set.id())) {
          rules.put(match.pattern(), HintText.format(match.hint()));
        }
      }
    }
    return rules;
  }

  @Test
  void aHintThatAPathCarriesBecomesItsRuleAndGoesWithIt() throws Exception {
    namespace.mkdir("/d");
    namespace.create("/f");
    namespace.hint("/d", "pipeline");
    namespace.hint("/f", "broadcast=4");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/d/**", "pipeline", "/f", "broadcast=4"));
    assertThat(store.get(PathSets.idFor("/d")).orElseThrow().owner()).isEqualTo("alice");
    namespace.rename("/d", "/e");
    namespace.hint("/f", "reuse");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/e/**", "pipeline", "/f", "reuse"));
    namespace.hint("/e", null);
    namespace.remove("/f");
    catchUp();
    assertThat(pathRules()).isEmpty();
  }

  @Test
  void aHintIsFollowedThroughRenamesThatHappenedMeanwhile() throws Exception {
    namespace.mkdir("/a");
    namespace.create("/a/f");
    namespace.hint("/a/f", "broadcast=4");
    namespace.rename("/a", "/b");
    namespace.rename("/b", "/c");
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/c/f", "broadcast=4"));
    assertThat(reconciliation.isSettled()).isTrue();
  }

  @Test
  void aHintThatCannotBeFollowedChangesNothing() throws Exception {
    namespace.create("/f");
    namespace.create("/g");
    namespace.create("/h");
    namespace.hint("/f", "nonsense");
    namespace.hint("/g", "broadcast=33");
    namespace.hint("/h", "nodes=n1");
    catchUp();
    assertThat(pathRules()).isEmpty();
    assertThat(counters.hintsUnreadable.value()).isEqualTo(1);
    assertThat(counters.hintsRefused.value()).isEqualTo(2);
  }

  @Test
  void aRuleThatIsYoungerThanTheRemovalOfItsPathStays() throws Exception {
    namespace.create("/f");
    namespace.remove("/f");
    Instant expires = clock.instant().plusSeconds(3600);
    store.put(set(PathSets.idFor("/f"), "/f", HintText.parse("pipeline"), expires));
    catchUp();
    assertThat(pathRules()).isEqualTo(Map.of("/f", "pipeline"));
  }

  @Test
  void filesGetTheReplicationThatTheirClientsDidNotAskFor() throws Exception {
    namespace.create("/d/before");
    set("s", "/d/*", "broadcast=5");
    namespace.create("/d/after");
    namespace.create("/d/meant", 2);
    namespace.create("/t/x");
    set("t", "/u/*", "pipeline,temporary");
    namespace.rename("/t/x", "/u/x");
    catchUp();
    assertThat(namespace.find("/d/before").orElseThrow().replication()).isEqualTo(5);
    assertThat(namespace.find("/d/after").orElseThrow().replication()).isEqualTo(5);
    assertThat(namespace.find("/d/meant").orElseThrow().replication()).isEqualTo(2);
    assertThat(namespace.find("/u/x").orElseThrow().replication()).isEqualTo(1);
  }

  @Test
  void whatRulesWantCachedIsCachedAsLongAsTheyStand() throws Exception {
    namespace.create("/f");
    set("s", "/f", "reuse");
    set("t", "/d/**", "cache");
    set("u", "/x/*.dat", "cache");
    catchUp();
    assertThat(namespace.cached()).containsExactlyInAnyOrder("/f", "/d");
    store.remove("s");
    catchUp();
    assertThat(namespace.cached()).containsExactly("/d");
    reconciliation = fresh(List.of());
    store.remove("t");
    store.remove("u");
    catchUp();
    assertThat(namespace.cached()).isEmpty();
  }

  @Test
  void onlyFilesCreatedUnderATemporaryRuleAreRemoved() throws Exception {
    namespace.create("/w/before");
    set("s", "/w/**", "temporary=1h");
    namespace.create("/w/under");
    namespace.create("/w/under.weir-1-1");
    namespace.rename("/w/under.weir-1-1", "/w/committed");
    namespace.create("/w/movedOut");
    namespace.rename("/w/movedOut", "/safe/movedOut");
    namespace.create("/elsewhere/x");
    namespace.rename("/elsewhere/x", "/w/movedIn");
    namespace.create("/w/replaced");
    namespace.create("/elsewhere/y");
    namespace.rename("/elsewhere/y", "/w/replaced");
    namespace.create("/w/ofAnother");
    namespace.chown("/w/ofAnother", "bob");
    namespace.create("/w/gone");
    namespace.remove("/w/gone");
    namespace.mkdir("/w/gone");
    catchUp();
    assertThat(namespace.deleted()).isEmpty();
    clock.advance(Duration.ofMinutes(59));
    catchUp();
    assertThat(namespace.deleted()).isEmpty();
    clock.advance(Duration.ofMinutes(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactlyInAnyOrder("/w/under", "/w/committed");
    assertThat(reconciliation.onRecord()).isEmpty();
  }

  @Test
  void aSetThatIsWithdrawnTakesItsFilesOffTheRecordAndOneThatExpiresDoesNot() throws Exception {
    set("withdrawn", "/w/*", "temporary=1h");
    store.put(set("expiring", "/e/*", HintText.parse("temporary=1h"), clock.now.plusSeconds(600)));
    clock.advance(Duration.ofSeconds(5));
    namespace.create("/w/x");
    namespace.create("/e/x");
    catchUp();
    store.remove("withdrawn");
    catchUp();
    clock.advance(Duration.ofHours(2));
    store.remove("expiring");
    catchUp();
    assertThat(namespace.deleted()).containsExactly("/e/x");
  }

  @Test
  void aGapInTheEditsLeavesNothingDoubtfulOnRecord() throws Exception {
    set("s", "/w/*", "temporary=1h");
    namespace.create("/w/same");
    namespace.create("/w/other");
    catchUp();
    Instant last = clock.instant();
    namespace.remove("/w/other");
    namespace.create("/w/other");
    namespace.mkdir("/w/d");
    namespace.hint("/w/d", "pipeline");
    handled = namespace.edits().size();
    reconciliation.rescan(last, clock.instant());
    assertThat(reconciliation.onRecord()).extracting(CreatedFile::path).containsExactly("/w/same");
    assertThat(pathRules()).isEqualTo(Map.of("/w/d/**", "pipeline"));
  }

  @Test
  void aFileThatGotTheNameInAGapIsNotRemoved() throws Exception {
    namespace.create("/elsewhere/old");
    set("s", "/w/*", "temporary=1h");
    namespace.create("/w/x");
    namespace.create("/w/unseen");
    handle();
    reconciliation.followTime(clock.instant());
    Instant last = clock.instant();
    namespace.rename("/elsewhere/old", "/w/x");
    handled = namespace.edits().size();
    reconciliation.rescan(last, clock.instant());
    clock.advance(Duration.ofHours(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactly("/w/unseen");
  }

  @Test
  void aFileThatTookTheNameAMomentAgoIsNotRemoved() throws Exception {
    set("s", "/w/*", "temporary=1h");
    namespace.create("/w/x");
    namespace.create("/elsewhere/y");
    handle();
    clock.advance(Duration.ofHours(2));
    namespace.rename("/elsewhere/y", "/w/x");
    reconciliation.followTime(clock.instant());
    catchUp();
    assertThat(namespace.deleted()).isEmpty();
    assertThat(reconciliation.onRecord()).isEmpty();
  }

  @Test
  void whatIsSaidOfAFileLaterCounts() throws Exception {
    set("s", "/w/*", "temporary=1h");
    set("t", "/t/*", "temporary=1h");
    set("u", "/u/*", "temporary=1h");
    namespace.create("/w/kept");
    namespace.create("/w/not");
    namespace.create("/t/x");
    namespace.create("/u/x");
    catchUp();
    set("by-hand", "/w/kept", "keep");
    set("t", "/t/*", "pipeline");
    set("u", "/u/*", "temporary=3h");
    clock.advance(Duration.ofHours(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactly("/w/not");
    clock.advance(Duration.ofHours(2));
    catchUp();
    assertThat(namespace.deleted()).containsExactlyInAnyOrder("/w/not", "/u/x");
  }

  @Test
  void whatTheNameNodeRefusesForOnePathStopsNothingElse() throws Exception {
    namespace.create("/d/a");
    namespace.create("/d/b");
    namespace.refuse("/d/a");
    set("s", "/d/*", "broadcast=5,cache");
    set("t", "/d/a", "broadcast=5,cache");
    String tooLong = "/" + "x".repeat(5000);
    namespace.mkdir(tooLong);
    namespace.hint(tooLong, "pipeline");
    namespace.mkdir("/e");
    namespace.hint("/e", "pipeline");
    catchUp();
    assertThat(namespace.find("/d/b").orElseThrow().replication()).isEqualTo(5);
    assertThat(namespace.cached()).containsExactly("/d");
    assertThat(pathRules()).isEqualTo(Map.of("/e/**", "pipeline"));
    assertThat(counters.refused.value()).isPositive();
  }

  @Test
  void filesThatAreThereNeverGetFewerReplicas() throws Exception {
    namespace.create("/d/before");
    catchUp();
    set("s", "/d/*", "replicas=1");
    catchUp();
    assertThat(namespace.find("/d/before").orElseThrow().replication())
        .isEqualTo(FakeNamespace.BY_DEFAULT);
  }

  @Test
  void aGapIsLookedThroughForWhatPathsCarryAndCarryNoMore() throws Exception {
    namespace.mkdir("/d");
    namespace.create("/d/f");
    namespace.create("/g");
    namespace.hint("/d", "pipeline");
    namespace.hint("/g", "pipeline");
    catchUp();
    store.put(
        set(PathSets.idFor("/later"), "/later", HintText.parse("local"), START.plusSeconds(9000)));
    Instant last = clock.instant();
    namespace.hint("/d/f", "broadcast=4");
    namespace.remove("/g");
    handled = namespace.edits().size();
    clock.advance(Duration.ofMinutes(5));
    reconciliation.rescan(last, clock.instant());
    assertThat(pathRules())
        .isEqualTo(Map.of("/d/**", "pipeline", "/d/f", "broadcast=4", "/later", "local"));
  }

  @Test
  void endsInTheSameStateHoweverOftenItIsKilled() throws Exception {
    for (int seed = 0; seed < 150; seed++) {
      new ReconciliationTest().simulate(new Random(seed), "seed " + seed);
    }
  }

  /** Random edits and crashes; after a crash everything since the last save is handled again. */
  private void simulate(Random random, String seed) throws IOException {
    set("s", "/w/**", "temporary=1h");
    List<String> names = List.of("/w/a", "/w/b", "/x/a", "/x/b", "/w/d/c", "/x/d/c");
    List<String> directories = List.of("/w/d", "/x/d", "/w/e", "/x/e");
    directories.forEach(namespace::mkdir);
    int saved = 0;
    Collection<CreatedFile> savedFiles = List.of();
    for (int step = 0; step < 80; step++) {
      change(random, names, directories);
      clock.advance(Duration.ofMinutes(random.nextInt(30)));
      if (random.nextInt(3) == 0) {
        int until = handled + random.nextInt(namespace.edits().size() - handled + 1);
        while (handled < until) {
          reconciliation.handle(namespace.edits().get(handled));
          handled++;
        }
        if (reconciliation.isSettled() && random.nextBoolean()) {
          saved = handled;
          savedFiles = reconciliation.onRecord();
        }
      }
      if (random.nextInt(6) == 0) {
        reconciliation = fresh(savedFiles);
        handled = saved;
      }
    }
    catchUp();
    // What was removed is an edit too.
    catchUp();
    Map<String, String> carried = new HashMap<>();
    for (FileFacts facts : namespace.paths().values()) {
      if (facts.hint() != null) {
        carried.put(facts.directory() ? facts.path() + "/**" : facts.path(), facts.hint());
      }
    }
    assertThat(pathRules()).as(seed).isEqualTo(carried);
    assertThat(namespace.deleted()).as(seed).allMatch(path -> path.startsWith("/w/"));
  }

  private void change(Random random, List<String> names, List<String> directories) {
    String name = names.get(random.nextInt(names.size()));
    String other = names.get(random.nextInt(names.size()));
    String directory = directories.get(random.nextInt(directories.size()));
    switch (random.nextInt(7)) {
      // Whether the rule of a path outlives the file depends on when its edits are handled.
      case 0, 1 -> {
        if (namespace.find(name).map(FileFacts::hint).isEmpty()) {
          namespace.create(name);
        }
      }
      case 2 -> namespace.remove(name);
      case 3 -> namespace.hint(name, TEXTS.get(random.nextInt(TEXTS.size())));
      case 4 -> namespace.hint(random.nextBoolean() ? name : directory, null);
      case 5 -> namespace.hint(directory, TEXTS.get(random.nextInt(TEXTS.size())));
      default -> {
        boolean free = namespace.find(other).map(FileFacts::hint).isEmpty();
        if (!name.equals(other) && free && namespace.find(name).isPresent()) {
          namespace.rename(name, other);
        }
      }
    }
  }
}
