package dev.weir.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs {@link ChooseTargetBenchmark} and prints the results as a Markdown table. */
public final class ChooseTargetReport {
  private ChooseTargetReport() {}

  /** Runs the benchmark. The arguments are JMH's, for instance {@code -p hint=LOCAL -f 5}. */
  public static void main(String[] args) throws RunnerException, CommandLineOptionException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .parent(new CommandLineOptions(args))
                    .include(ChooseTargetBenchmark.class.getName())
                    .build())
            .run();
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println("| hint | DataNodes | racks | stock, ns | weir, ns | ratio: median | all shots |");
    out.println("|---|---|---|---|---|---|---|");
    results.forEach(result -> out.println(row(result)));
    out.println(
        "load at the end: " + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static String row(RunResult result) {
    List<Double> ratios = sorted(result, "ratio");
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | **%.3f** | %.3f to %.3f |",
        result.getParams().getParam("hint").toLowerCase(Locale.ROOT),
        result.getParams().getParam("nodes"),
        result.getParams().getParam("racks"),
        minimumAndMedian(sorted(result, "stock")),
        minimumAndMedian(sorted(result, "weir")),
        median(ratios),
        ratios.get(0),
        ratios.get(ratios.size() - 1));
  }

  private static String minimumAndMedian(List<Double> sorted) {
    return String.format(Locale.ROOT, "%,.0f, %,.0f", sorted.get(0), median(sorted));
  }

  private static double median(List<Double> sorted) {
    return sorted.get(sorted.size() / 2);
  }

  private static List<Double> sorted(RunResult result, String what) {
    List<Double> values = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult shot : fork.getIterationResults()) {
        Result<?> value = shot.getSecondaryResults().get(what);
        values.add(Objects.requireNonNull(value, what).getScore());
      }
    }
    values.sort(null);
    return values;
  }
}
