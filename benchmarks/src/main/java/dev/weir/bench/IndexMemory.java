package dev.weir.bench;

import dev.weir.hints.index.HintIndex;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * The heap size of an index of exact paths, measured after a garbage collection. Argument: the
 * number of rules.
 *
 * <pre>benchmarks/run memory 1000000</pre>
 */
public final class IndexMemory {
  private static final int COLLECTIONS = 4;
  private static final double MEGA = 1e6;

  private IndexMemory() {}

  /** Builds the index and prints its size. */
  public static void main(String[] args) {
    int rules = Integer.parseInt(args[0]);
    long before = used();
    HintIndex index = HintIndex.empty();
    for (int i = 0; i < rules / RunHintSets.RULES; i++) {
      index = index.with(RunHintSets.run(i, false), i);
    }
    long indexBytes = used() - before;
    String path = RunHintSets.named(0, 1);
    System.out.println(
        String.format(
            Locale.ROOT,
            "%d rules in %d sets, paths such as %s: %.1f MB, %.0f bytes a rule",
            index.size(),
            index.setCount(),
            path,
            indexBytes / MEGA,
            (double) indexBytes / index.size()));
  }

  private static long used() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
