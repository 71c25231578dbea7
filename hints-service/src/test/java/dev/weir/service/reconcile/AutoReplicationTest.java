package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.auto.AccessCounts;
import dev.weir.service.auto.AutoBudget;
import dev.weir.service.auto.AutoSettings;
import dev.weir.service.auto.CountSource;
import dev.weir.service.auto.MergedCounts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AutoReplicationTest {
  private static final Instant NOW = Instant.parse("2030-01-10T00:00:00Z");
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final FakeReplicas files = new FakeReplicas();
  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
  private final ReconcilerMetrics counters =
      ReconcilerMetrics.register(new MetricsSystemImpl("test"));
  private final Map<String, AccessCounts.Count> used = new HashMap<>();
  private Instant counting = NOW.minus(Duration.ofDays(9));
  private String budget = "50%";
  private boolean enabled = true;
  private Runnable betweenRounds = () -> {};
  private Runnable betweenChanges = () -> {};
  private Instant now = NOW;
  private final List<Duration> pauses = new ArrayList<>();

  @BeforeEach
  void hint() throws Exception {
    hint("auto");
  }

  private void hint(String text) throws Exception {
    hint(text, "alice");
  }

  private void hint(String text, String owner) throws Exception {
    store.put(
        new HintSet(
            "s",
            owner,
            null,
            List.of(new Rule(PathPattern.parse("/auto/**"), HintText.parse(text)))));
  }

  /**
   * Leads for some rounds. The clock stands still, except for what the tests do between changes.
   */
  private void lead(int rounds) throws Exception {
    int[] left = {rounds};
    AutoReplication.Timing timing =
        new AutoReplication.Timing() {
          @Override
          public Instant instant() {
            return now;
          }

          @Override
          public void pause(Duration time) {
            if (time.compareTo(INTERVAL) >= 0) {
              pauses.add(time);
              left[0]--;
              betweenRounds.run();
            } else {
              betweenChanges.run();
            }
          }
        };
    MergedCounts counts =
        new MergedCounts(
            List.of(URI.create("http://nn:9870")),
            nameNode ->
                new CountSource.Reading(counting, Duration.ofDays(1), AccessCounts.ofPaths(used)),
            timing);
    AutoReplication auto =
        new AutoReplication(
            () -> new AutoReplication.Term(files, files, counters, "root"::equals, () -> {}),
            store,
            counts,
            new AutoSettings(enabled, AutoBudget.parse(budget), INTERVAL, 10),
            timing);
    auto.lead(() -> left[0] > 0);
    assertThat(auto.status()).as("the term is over").isNull();
  }

  /** Kills a leader before its first call, the next before its second, and so on. */
  private void killAfterEachCall() throws Exception {
    boolean killed = true;
    for (int calls = 0; killed; calls++) {
      files.callsLeft = calls;
      try {
        lead(1);
        killed = false;
      } catch (IOException e) {
        assertThat(e).hasMessage("killed");
      }
    }
    files.callsLeft = Integer.MAX_VALUE;
    lead(2);
  }

  private void reads(String path, double reads) {
    used.put(path, new AccessCounts.Count(reads, 0));
  }

  @Test
  void aHotFileGetsCopiesAndLosesThemWhenItCools() throws Exception {
    long hot = files.create("/auto/hot", 2);
    long cold = files.create("/auto/cold", 2);
    long other = files.create("/other/hot", 2);
    reads("/auto/hot", 100);
    reads("/other/hot", 100);
    lead(2);
    assertThat(files.replication(hot)).as("one for each node").isEqualTo(5);
    assertThat(files.replication(cold)).isEqualTo(2);
    assertThat(files.replication(other)).isEqualTo(2);
    assertThat(files.marks()).containsOnly(Map.entry(hot, "2,2,5"));
    used.put("/auto/hot", new AccessCounts.Count(1, 5));
    lead(1);
    assertThat(files.replication(hot)).isEqualTo(2);
    assertThat(files.marks()).isEmpty();
    assertThat(files.set).containsExactly("/auto/hot=5", "/auto/hot=2");
    assertThat(counters.autoRaised.value()).isEqualTo(1);
    assertThat(counters.autoLowered.value()).isEqualTo(1);
  }

  @Test
  void filesGoBackWhenTheHintGoesAlsoWithAnotherLeader() throws Exception {
    long hot = files.create("/auto/hot", 2);
    long moved = files.create("/auto/moved", 1);
    reads("/auto/hot", 100);
    reads("/auto/moved", 100);
    lead(1);
    assertThat(files.replication(moved)).isEqualTo(5);
    store.remove("s");
    lead(3);
    assertThat(files.replication(hot)).isEqualTo(2);
    assertThat(files.replication(moved)).isEqualTo(1);
    assertThat(files.marks()).isEmpty();
    assertThat(files.loadPaths()).isEmpty();
  }

  @Test
  void aFileThatIsMovedAwayGoesBack() throws Exception {
    long hot = files.create("/auto/hot", 2);
    reads("/auto/hot", 100);
    betweenRounds = () -> files.move(hot, "/elsewhere/hot");
    lead(2);
    assertThat(files.set).containsExactly("/auto/hot=5", "/elsewhere/hot=2");
    assertThat(files.marks()).isEmpty();
  }

  @Test
  void theBudgetIsKeptAndTheLeastUsefulCopiesGoFirst() throws Exception {
    long hot = files.create("/auto/hot", 1);
    long warm = files.create("/auto/warm", 1);
    reads("/auto/hot", 10_000);
    reads("/auto/warm", 1000);
    files.remaining = 1000;
    lead(3);
    assertThat(files.replication(hot)).isEqualTo(5);
    assertThat(files.replication(warm)).as("half of 1000 bytes").isEqualTo(2);
    files.remaining = 100;
    lead(1);
    assertThat(files.replication(hot)).isEqualTo(4);
    assertThat(files.replication(warm)).isEqualTo(1);
    budget = "100";
    lead(1);
    assertThat(files.replication(hot)).isEqualTo(2);
  }

  @Test
  void theMinimumOfTheHintIsKept() throws Exception {
    hint("auto=2..3");
    long one = files.create("/auto/one", 1);
    long ten = files.create("/auto/ten", 10);
    long young = files.create("/auto/young", 3);
    files.modified(young, NOW.minusSeconds(60));
    budget = "0";
    lead(2);
    assertThat(files.replication(one)).isEqualTo(2);
    assertThat(files.replication(ten)).isEqualTo(2);
    assertThat(files.replication(young)).as("it had no time to be read").isEqualTo(3);
  }

  @Test
  void nothingIsLoweredBeforeAHalfLifeHasBeenCounted() throws Exception {
    long file = files.create("/auto/a", 1);
    reads("/auto/a", 100);
    lead(1);
    used.clear();
    counting = NOW.minus(Duration.ofHours(1));
    lead(1);
    assertThat(files.replication(file)).isEqualTo(5);
    counting = NOW.minus(Duration.ofHours(25));
    lead(1);
    assertThat(files.replication(file)).isEqualTo(1);
  }

  @Test
  void autoAloneLowersNoFileBelowItsOwnReplication() throws Exception {
    long old = files.create("/auto/old", 10);
    long young = files.create("/auto/young", 10);
    files.modified(young, NOW.minusSeconds(60));
    lead(2);
    assertThat(files.set).isEmpty();
    hint("auto=1..3");
    lead(2);
    assertThat(files.replication(old)).isEqualTo(1);
    assertThat(files.replication(young)).isEqualTo(10);
  }

  @Test
  void filesOfOthersAreNotLowered() throws Exception {
    long alices = files.create("/auto/alices", 3);
    hint("auto=1..1", "bob");
    long bobs = files.create("/auto/bobs", 3, "bob");
    lead(2);
    assertThat(files.replication(alices)).isEqualTo(3);
    assertThat(files.replication(bobs)).isEqualTo(1);
    hint("auto=1..1", "root");
    lead(2);
    assertThat(files.replication(alices)).as("by an administrator").isEqualTo(1);
    hint("auto=1..8", "bob");
    lead(2);
    assertThat(files.replication(alices)).as("taken back").isEqualTo(3);
  }

  @Test
  void aMinimumBeyondTheDataNodesIsLimited() throws Exception {
    hint("auto=100..200");
    long file = files.create("/auto/a", 3);
    long more = files.create("/auto/more", 7);
    lead(2);
    assertThat(files.replication(file)).isEqualTo(5);
    assertThat(files.replication(more)).isEqualTo(7);
  }

  @Test
  void openSnapshottedAndRefusedFilesStay() throws Exception {
    long open = files.create("/auto/open", 2);
    long kept = files.create("/auto/kept/a", 2);
    long refused = files.create("/auto/refused", 2);
    List.of("/auto/open", "/auto/kept/a", "/auto/refused").forEach(path -> reads(path, 100));
    files.open.add(open);
    files.snapshotted = List.of("/auto/kept");
    files.refused.add(refused);
    lead(3);
    assertThat(files.set).isEmpty();
    assertThat(files.marks()).isEmpty();
    assertThat(counters.refused.value()).as("a refusal is final").isEqualTo(1);
    assertThat(files.replication(kept)).isEqualTo(2);
  }

  @Test
  void noCopiesAreMadeWhileManyBlocksWaitForCopies() throws Exception {
    files.create("/auto/hot", 1);
    reads("/auto/hot", 100);
    files.lowRedundancyBlocks = 501;
    lead(3);
    assertThat(files.set).isEmpty();
    files.lowRedundancyBlocks = 500;
    lead(1);
    assertThat(files.set).containsExactly("/auto/hot=5");
  }

  @Test
  void aLeaderThatIsKilledLosesNoOwnersNumber() throws Exception {
    long hot = files.create("/auto/hot", 2);
    reads("/auto/hot", 100);
    killAfterEachCall();
    assertThat(files.replication(hot)).isEqualTo(5);
    assertThat(files.marks()).containsOnlyKeys(hot);
    used.put("/auto/hot", new AccessCounts.Count(15, 1));
    killAfterEachCall();
    assertThat(files.replication(hot)).isEqualTo(4);
    store.remove("s");
    killAfterEachCall();
    assertThat(files.replication(hot)).isEqualTo(2);
    assertThat(files.marks()).isEmpty();
  }

  @Test
  void whatTheOwnerSetsIsKept() throws Exception {
    long hot = files.create("/auto/hot", 2);
    reads("/auto/hot", 100);
    lead(1);
    files.own(hot, 3);
    lead(2);
    assertThat(files.replication(hot)).isEqualTo(5);
    assertThat(files.marks()).containsEntry(hot, "3,3,5");
  }

  @Test
  void whatTheOwnerSetsDuringARoundIsKept() throws Exception {
    files.create("/auto/hot", 2);
    long later = files.create("/auto/later", 2);
    reads("/auto/hot", 200);
    reads("/auto/later", 100);
    betweenChanges =
        () -> {
          files.own(later, 3);
          betweenChanges = () -> {};
        };
    lead(1);
    assertThat(files.set).containsExactly("/auto/hot=5");
    lead(1);
    assertThat(files.replication(later)).isEqualTo(5);
    assertThat(files.marks()).containsEntry(later, "3,3,5");
  }

  @Test
  void aRoundEndsAfterTheInterval() throws Exception {
    for (String path : List.of("/auto/a", "/auto/b", "/auto/c")) {
      files.create(path, 2);
      reads(path, 100);
    }
    betweenChanges = () -> now = now.plus(INTERVAL);
    lead(1);
    assertThat(files.set).hasSize(2);
    lead(1);
    assertThat(files.set).hasSize(3);
  }

  @Test
  void aTemporaryRefusalEndsTheRoundOnly() throws Exception {
    long hot = files.create("/auto/hot", 2);
    reads("/auto/hot", 100);
    files.failure = new RetriableException("safe mode");
    lead(2);
    assertThat(files.replication(hot)).isEqualTo(5);
  }

  @Test
  void aRemovedFileEndsNoRound() throws Exception {
    files.create("/auto/gone", 2);
    long hot = files.create("/auto/hot", 2);
    reads("/auto/gone", 200);
    reads("/auto/hot", 100);
    files.failure = new FileNotFoundException("/auto/gone");
    lead(1);
    assertThat(files.replication(hot)).isEqualTo(5);
    assertThat(files.set).containsExactly("/auto/hot=5");
  }

  @Test
  void aLongListingIsFollowedByALongPause() throws Exception {
    files.create("/auto/a", 2);
    lead(1);
    files.whileListing = () -> now = now.plusSeconds(60);
    lead(1);
    assertThat(pauses).containsExactly(INTERVAL, Duration.ofMinutes(4));
  }

  @Test
  void aPathIsForgottenAlsoIfAnotherKeepsAMark() throws Exception {
    long kept = files.create("/auto/kept", 2);
    reads("/auto/kept", 100);
    lead(1);
    store.put(
        new HintSet(
            "s",
            "alice",
            null,
            List.of(new Rule(PathPattern.parse("/other/**"), HintText.parse("auto")))));
    files.open.add(kept);
    lead(1);
    assertThat(files.loadPaths()).containsExactly("/auto", "/other");
    store.remove("s");
    lead(1);
    assertThat(files.loadPaths()).containsExactly("/auto");
  }

  @Test
  void onlyPlansIfItIsDisabled() throws Exception {
    enabled = false;
    files.create("/auto/hot", 2);
    reads("/auto/hot", 100);
    lead(2);
    assertThat(files.set).isEmpty();
    assertThat(counters.autoBytes.value()).isEqualTo(300);
  }
}
