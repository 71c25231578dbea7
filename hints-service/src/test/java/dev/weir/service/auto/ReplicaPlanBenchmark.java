package dev.weir.service.auto;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The time and memory of a plan for a million files, all of which are used. Its arguments are the
 * number of files and of plans.
 *
 * <pre>java -Xmx1g -cp ... dev.weir.service.auto.ReplicaPlanBenchmark 1000000 5</pre>
 */
public final class ReplicaPlanBenchmark {
  private ReplicaPlanBenchmark() {}

  /** Prints the time of each plan. */
  public static void main(String[] arguments) {
    int number = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
    int plans = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
    PrintStream out = System.out;
    Random random = new Random(1);
    List<AutoFile> files = new ArrayList<>();
    long total = 0;
    for (int i = 0; i < number; i++) {
      // The popularity of files is zipfian, their sizes differ by three orders of magnitude.
      long bytes = (long) (1e6 * Math.pow(1000, random.nextDouble()));
      double reads = 1e8 / (1 + random.nextInt(number));
      String path = "/user/alice/warehouse/table-" + i % 1000 + "/part-" + i + ".parquet";
      files.add(new AutoFile(path, i, bytes, reads, random.nextDouble(), 1, 8, 1, 1));
      total += bytes;
    }
    for (int i = 0; i < plans; i++) {
      long start = System.nanoTime();
      long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      ReplicaPlan plan = ReplicaPlan.of(files, total);
      long millis = (System.nanoTime() - start) / 1_000_000;
      long cpuMillis =
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1_000_000;
      long copies = 0;
      for (int replicas : plan.replicas()) {
        copies += replicas - 1;
      }
      Runtime runtime = Runtime.getRuntime();
      out.printf(
          "%d files, %d copies, %d ms, %d ms of CPU, heap %d MB of %d MB%n",
          number,
          copies,
          millis,
          cpuMillis,
          (runtime.totalMemory() - runtime.freeMemory()) >> 20,
          runtime.maxMemory() >> 20);
    }
  }
}
