package dev.weir.cli.demo;

import dev.weir.workflow.record.RunTotals;
import java.util.Locale;

final class ResultTable {

  private static final String ROW = "  %-9s %10s %6s %15s %15s %8s %16s  %s%n";

  private ResultTable() {}

  static String of(DemoResult result) {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            "%s on %d nodes, links %s%n%n",
            result.workflow(),
            result.spec().nodes(),
            result.spec().link()));
    table.append(
        String.format(
            ROW,
            "mode",
            "makespan",
            "tasks",
            "read locally",
            "read remotely",
            "local",
            "written remotely",
            "mosaic"));
    for (ModeResult mode : result.modes()) {
      RunTotals totals = mode.run().totals();
      table.append(
          String.format(
              Locale.ROOT,
              ROW,
              mode.mode().label(),
              String.format(Locale.ROOT, "%.1f s", totals.makespan().toMillis() / 1000.0),
              totals.tasks(),
              megabytes(totals.traffic().inputOwn()),
              megabytes(totals.traffic().inputRemote()),
              String.format(Locale.ROOT, "%.1f %%", 100 * totals.localShare()),
              megabytes(totals.traffic().outputRemote()),
              mosaic(mode)));
    }
    return table.toString();
  }

  private static String mosaic(ModeResult mode) {
    return mode.comparison()
        .map(mosaic -> mosaic.identical() ? "as without Hadoop" : "DIFFERENT")
        .orElse("(stand-in tasks)");
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
