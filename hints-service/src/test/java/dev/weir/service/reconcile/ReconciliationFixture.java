package dev.weir.service.reconcile;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
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
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.jspecify.annotations.Nullable;

/** A reconciliation of files and rules in memory. */
abstract class ReconciliationFixture {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  final SteppingClock clock = new SteppingClock();
  final FakeNamespace namespace = new FakeNamespace(clock);
  final InMemoryHintStore store = new InMemoryHintStore(clock);
  final ReconcilerMetrics counters = ReconcilerMetrics.register(new MetricsSystemImpl("test"));
  Reconciliation reconciliation = fresh(List.of());
  int handled;

  /** Advances a moment with each reading. */
  static final class SteppingClock extends Clock {
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

  Reconciliation fresh(Collection<ExpirableFile> files) {
    return resumed(namespace, store, counters, new Reconciliation.Setup(3, clock), files);
  }

  /** Returns a reconciliation that resumes with the files that an earlier one saved. */
  static Reconciliation resumed(
      FakeNamespace namespace,
      InMemoryHintStore store,
      ReconcilerMetrics counters,
      Reconciliation.Setup setup,
      Collection<ExpirableFile> files) {
    Admission admission = new Admission(32, 9, user -> user.equals("root"));
    Reconciliation made = new Reconciliation(namespace, store, admission, counters, setup);
    made.resume(files, Instant.EPOCH);
    return made;
  }

  void catchUp() throws IOException {
    handle();
    reconciliation.dropPendingBefore(clock.instant());
    reconciliation.followSets();
    reconciliation.followTime(clock.instant());
    reconciliation.followTime(clock.instant());
  }

  void handle() throws IOException {
    while (handled < namespace.edits().size()) {
      reconciliation.handle(namespace.edits().get(handled));
      handled++;
    }
  }

  void set(String id, String pattern, String hint) {
    store.put(set(id, pattern, HintText.parse(hint), null));
    // More than the clocks may differ.
    clock.advance(Duration.ofSeconds(5));
  }

  static HintSet set(String id, String pattern, Hint hint, @Nullable Instant expires) {
    return new HintSet(id, "alice", expires, List.of(new Rule(PathPattern.parse(pattern), hint)));
  }

  /** Returns the pattern and hint of each path's own set. */
  Map<String, String> pathRules() {
    Map<String, String> rules = new HashMap<>();
    for (SetInfo set : store.snapshot().sets()) {
      if (SinglePathSets.isOne(set.id())) {
        for (Match match : store.snapshot().rules(set.id())) {
          rules.put(match.pattern(), HintText.format(match.hint()));
        }
      }
    }
    return rules;
  }
}
