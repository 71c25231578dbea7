package dev.weir.bench.yarn;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The containers per second that a ResourceManager allocates. Turns of stock and of Weir's plugin
 * alternate every few milliseconds, so that other load on the machine affects both. Prints one row
 * of a Markdown table; {@code benchmarks/run allocations} runs it for all rows, each in a separate
 * process.
 */
public final class AllocationBenchmark {
  private AllocationBenchmark() {}

  /**
   * Runs one pair of ResourceManagers.
   *
   * @param args what requests name ({@link AskNaming}), the number of nodes, the seconds, and the
   *     other variant if it is not Weir: {@code stock} shows the error of the measurement, {@code
   *     empty} the cost of an allocator that adds nothing
   */
  public static void main(String[] args) throws Exception {
    AskNaming naming = AskNaming.valueOf(args[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    int nodes = Integer.parseInt(args[1]);
    long seconds = Long.parseLong(args[2]);
    SchedulerVariant other =
        args.length > 3
            ? SchedulerVariant.valueOf(args[3].toUpperCase(Locale.ROOT))
            : SchedulerVariant.WEIR;
    // Two ResourceManagers in one process have metrics of the same names.
    DefaultMetricsSystem.setMiniClusterMode(true);
    try (AllocationCluster stock = new AllocationCluster(SchedulerVariant.STOCK, naming, nodes);
        AllocationCluster weir = new AllocationCluster(other, naming, nodes)) {
      pairs(stock, weir, seconds);
      List<Pair> pairs = pairs(stock, weir, seconds);
      String label = naming.label() + of(other);
      System.out.println(row(label, nodes, pairs, stock, weir));
    }
    // The ResourceManagers leave threads behind.
    System.exit(0);
  }

  private static String of(SchedulerVariant other) {
    return switch (other) {
      case WEIR -> "";
      case STOCK -> ", stock twice";
      case EMPTY -> ", an allocator that adds nothing";
    };
  }

  private record Pair(long stockNanos, long weirNanos) {
    double ratio() {
      return (double) weirNanos / stockNanos;
    }
  }

  private static List<Pair> pairs(AllocationCluster stock, AllocationCluster weir, long seconds)
      throws Exception {
    List<Pair> pairs = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (int i = 0; System.nanoTime() < end; i++) {
      boolean stockFirst = (i & 1) == 0;
      long first = (stockFirst ? stock : weir).turn(i);
      long second = (stockFirst ? weir : stock).turn(i);
      pairs.add(stockFirst ? new Pair(first, second) : new Pair(second, first));
      if (i % 50 == 49) {
        stock.deliverCleanups();
        weir.deliverCleanups();
      }
    }
    return pairs;
  }

  private static String row(
      String label, int nodes, List<Pair> pairs, AllocationCluster stock, AllocationCluster weir) {
    List<Double> ratios = pairs.stream().map(Pair::ratio).sorted().toList();
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,.0f | %,.0f | **%.3f** (%.3f to %.3f) | %.0f %%, %.0f %% | %d | %.1f |",
        label,
        nodes,
        perSecond(pairs.stream().map(Pair::stockNanos).sorted().toList()),
        perSecond(pairs.stream().map(Pair::weirNanos).sorted().toList()),
        ratios.get(ratios.size() / 2),
        ratios.get(ratios.size() / 4),
        ratios.get(ratios.size() * 3 / 4),
        100 * stock.localShare(),
        100 * weir.localShare(),
        pairs.size(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static double perSecond(List<Long> sortedNanos) {
    return AllocationCluster.TURN * 1e9 / sortedNanos.get(sortedNanos.size() / 2);
  }
}
