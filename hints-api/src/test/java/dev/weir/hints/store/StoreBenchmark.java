package dev.weir.hints.store;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintSettings;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.curator.test.TestingServer;

/**
 * Measures, over a real ZooKeeper server in this process, how long a watcher takes to load many
 * sets and how long a change takes to reach it. Arguments: the number of sets and of rules per set.
 */
final class StoreBenchmark {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int CHANGES = 200;
  private static final double NANOS = 1e9;

  private StoreBenchmark() {}

  /** Runs the benchmark and prints the results. */
  public static void main(String[] args) throws Exception {
    int sets = Integer.parseInt(args[0]);
    int rules = Integer.parseInt(args[1]);
    try (TestingServer server = new TestingServer(true);
        HintStore writer =
            ZooKeeperHintStore.open(new HintSettings(server.getConnectString(), "/weir"))) {
      HintSettings settings = new HintSettings(server.getConnectString(), "/weir");
      long begin = System.nanoTime();
      for (int i = 0; i < sets; i++) {
        writer.put(set(i, rules, 0));
      }
      print("written %d sets of %d rules in %.1f s", sets, rules, seconds(begin));
      for (int round = 0; round < 3; round++) {
        begin = System.nanoTime();
        try (HintStore watcher = ZooKeeperHintStore.open(settings, "bench" + round)) {
          if (!watcher.awaitLoaded(LONG)) {
            throw new IllegalStateException("not loaded within " + LONG);
          }
          print(
              "cold watcher ready with %d rules in %.2f s",
              watcher.snapshot().size(), seconds(begin));
          changes(writer, "bench" + round, rules);
          burst(writer, "bench" + round, rules);
        }
      }
    }
  }

  private static void changes(HintStore writer, String role, int rules) throws Exception {
    List<Double> taken = new ArrayList<>();
    for (int i = 0; i < CHANGES; i++) {
      HintSet changed = set(i, rules, i + 1);
      long begin = System.nanoTime();
      long version = writer.put(changed);
      if (!writer.awaitApplied(version, role, LONG)) {
        throw new IllegalStateException("not applied within " + LONG);
      }
      taken.add(seconds(begin));
    }
    Collections.sort(taken);
    print(
        "one change, from put to applied: median %.1f ms, 99 %% %.1f ms, most %.1f ms",
        taken.get(CHANGES / 2) * 1000,
        taken.get(CHANGES * 99 / 100) * 1000,
        taken.get(CHANGES - 1) * 1000);
  }

  private static void burst(HintStore writer, String role, int rules) throws Exception {
    long begin = System.nanoTime();
    long version = 0;
    for (int i = 0; i < 1000; i++) {
      version = writer.put(set(i, rules, i + 7));
    }
    double written = seconds(begin);
    if (!writer.awaitApplied(version, role, LONG)) {
      throw new IllegalStateException("not applied within " + LONG);
    }
    print("1000 changes written in %.2f s, applied after %.2f s", written, seconds(begin));
  }

  private static HintSet set(int number, int rules, int generation) {
    List<Rule> all =
        IntStream.range(0, rules)
            .mapToObj(
                i ->
                    new Rule(
                        PathPattern.literal(
                            "/user/bench/run" + number + "/" + generation + "/out/f" + i),
                        HintPresets.pipeline()))
            .toList();
    return new HintSet("bench-" + number, "bench", null, all);
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / NANOS;
  }

  private static void print(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }
}
