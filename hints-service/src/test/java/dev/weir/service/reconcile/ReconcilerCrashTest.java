package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsSystemImpl;
import org.junit.jupiter.api.Test;

/** A reconciler that is killed anywhere and restarted ends in the same state. */
class ReconcilerCrashTest {
  /** {@code -Dweir.crashes=} sets another number. */
  private static final int SEEDS = Integer.getInteger("weir.crashes", 150);

  private static final int STEPS = 80;
  private static final List<String> TEXTS = List.of("pipeline", "broadcast=5", "local,keep");
  private static final List<String> NAMES =
      List.of("/w/a", "/w/b.c", "/x/a", "/x/b.c", "/w/d/c.c", "/x/d/c.c");
  private static final List<String> DIRECTORIES = List.of("/w/d", "/x/d", "/w/e", "/x/e");

  @Test
  void convergesAfterAnyCrashes() throws Exception {
    MetricsSystem metrics = new MetricsSystemImpl("crashes");
    ReconcilerMetrics counters = ReconcilerMetrics.register(metrics);
    for (int seed = 0; seed < SEEDS; seed++) {
      new Run(seed, counters).simulate();
    }
  }

  /** One random run. */
  private static final class Run {
    private final Random random;
    private final String seed;
    private final ReconciliationFixture.SteppingClock clock =
        new ReconciliationFixture.SteppingClock();
    private final FakeNamespace namespace = new FakeNamespace(clock);
    private final InMemoryHintStore store = new InMemoryHintStore(clock);
    private final ReconcilerMetrics counters;
    private Reconciliation reconciliation;
    private int handled;
    private int saved;
    private Collection<ExpirableFile> savedFiles = List.of();

    Run(int seed, ReconcilerMetrics counters) {
      this.random = new Random(seed);
      this.seed = "seed " + seed;
      this.counters = counters;
      this.reconciliation = start();
    }

    /** After a crash everything since the last save is handled again. */
    private Reconciliation start() {
      return ReconciliationFixture.resumed(
          namespace, store, counters, new Reconciliation.Setup(100, clock), savedFiles);
    }

    void simulate() throws IOException {
      put("s", "/w/**", "temporary=1h");
      put("c", "/**/*.c", "cache");
      clock.advance(Duration.ofSeconds(5));
      DIRECTORIES.forEach(namespace::mkdir);
      for (int step = 0; step < STEPS; step++) {
        change();
        clock.advance(Duration.ofMinutes(random.nextInt(30)));
        if (random.nextInt(3) == 0) {
          handle(handled + random.nextInt(namespace.edits().size() - handled + 1));
        }
        if (random.nextInt(6) == 0) {
          reconciliation = start();
          handled = saved;
        }
      }
      for (int round = 0; round < 3; round++) {
        // Removals by the reconciler are edits too.
        handle(namespace.edits().size());
        reconciliation.followTime(clock.instant());
      }
      reconciliation.followSets();
      check();
    }

    private void handle(int until) throws IOException {
      while (handled < until) {
        reconciliation.handle(namespace.edits().get(handled));
        handled++;
      }
      if (handled == namespace.edits().size()) {
        reconciliation.dropPendingBefore(clock.instant());
      }
      if (random.nextInt(3) == 0) {
        reconciliation.followSets();
      }
      if (reconciliation.isSettled() && random.nextBoolean()) {
        saved = handled;
        savedFiles = reconciliation.expirableFiles();
      }
    }

    private void check() {
      Map<String, String> carried = new HashMap<>();
      Set<String> cached = new TreeSet<>();
      for (PathInfo info : namespace.paths().values()) {
        if (info.hint() != null) {
          carried.put(info.directory() ? info.path() + "/**" : info.path(), info.hint());
        }
        if (!info.directory() && info.path().endsWith(".c")) {
          cached.add(info.path());
        }
      }
      assertThat(rules()).as(seed).isEqualTo(carried);
      assertThat(namespace.cached()).as(seed).isEqualTo(cached);
      assertThat(namespace.deleted()).as(seed).allMatch(path -> path.startsWith("/w/"));
    }

    private Map<String, String> rules() {
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

    private void put(String id, String pattern, String hint) {
      Rule rule = new Rule(PathPattern.parse(pattern), HintText.parse(hint));
      store.put(new HintSet(id, "alice", null, List.of(rule)));
    }

    private void change() {
      String name = any(NAMES);
      String other = any(NAMES);
      String directory = any(DIRECTORIES);
      switch (random.nextInt(8)) {
        case 0, 1 -> namespace.create(name);
        case 2 -> namespace.remove(name);
        case 3 -> namespace.hint(name, any(TEXTS));
        case 4 -> namespace.hint(random.nextBoolean() ? name : directory, null);
        case 5 -> namespace.hint(directory, any(TEXTS));
        case 6 -> {
          String to = any(DIRECTORIES);
          if (!directory.equals(to) && namespace.find(directory).isPresent()) {
            namespace.rename(directory, to);
          }
        }
        default -> {
          if (!name.equals(other) && namespace.find(name).isPresent()) {
            namespace.rename(name, other);
          }
        }
      }
    }

    private String any(List<String> some) {
      return some.get(random.nextInt(some.size()));
    }
  }
}
