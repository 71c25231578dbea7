package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes the overhead and the failures of runs as Markdown, by setup. A total over all setups would
 * hide which setup leaves the most work after the end.
 */
public final class RunOverheadTable {
  private static final List<String> COLUMNS =
      List.of(
          "beside the tasks, s: medians of runs",
          "runs",
          "all",
          "inputs",
          "idle wait before",
          "start and end",
          "end until the cluster is idle",
          "results",
          "removal",
          "failed runs",
          "extra attempts",
          "failed or lost",
          "cancelled");

  private RunOverheadTable() {}

  /**
   * Returns a row per setup.
   *
   * @param overheads the overhead of each run, by label, in the order of the rows
   * @param failures by label; setups without runs get a row too
   */
  public static String of(
      Map<String, List<RunOverhead>> overheads, Map<String, FailureCounts> failures) {
    MarkdownTable table = new MarkdownTable(COLUMNS);
    Map<String, List<RunOverhead>> all = new LinkedHashMap<>(overheads);
    failures.keySet().stream().sorted().forEach(label -> all.putIfAbsent(label, List.of()));
    all.forEach(
        (label, runs) ->
            table.row(cells(label, runs, failures.getOrDefault(label, FailureCounts.NONE))));
    return table.toString();
  }

  private static List<String> cells(String label, List<RunOverhead> runs, FailureCounts failures) {
    List<String> cells = new ArrayList<>(List.of(label, Integer.toString(runs.size())));
    cells.add(cell(runs, RunOverhead.median(runs)));
    cells.add(cell(runs, RunOverhead.median(runs, run -> run.steps().provide())));
    cells.add(cell(runs, RunOverhead.median(runs, run -> run.steps().rest())));
    cells.add(cell(runs, RunOverhead.median(runs, RunOverhead::startAndEnd)));
    cells.add(cell(runs, RunOverhead.medianSettle(runs)));
    cells.add(cell(runs, RunOverhead.median(runs, run -> run.steps().fetch())));
    cells.add(cell(runs, RunOverhead.median(runs, run -> run.steps().clean())));
    cells.add(String.valueOf(failures.failedRuns()));
    cells.add(String.valueOf(failures.extra()));
    cells.add(String.valueOf(failures.failed()));
    cells.add(String.valueOf(failures.cancelled()));
    return cells;
  }

  private static String cell(List<RunOverhead> runs, double seconds) {
    return runs.isEmpty() ? MarkdownTable.NONE : String.format(Locale.ROOT, "%.1f", seconds);
  }
}
