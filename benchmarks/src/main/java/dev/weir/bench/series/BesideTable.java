package dev.weir.bench.series;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tells by setup as Markdown what its runs take beside their tasks and what went otherwise than
 * planned. Over all setups together one would not see who leaves most to be done after the end.
 */
public final class BesideTable {
  private static final String NOTHING = "–";

  private BesideTable() {}

  /**
   * A row for each setup.
   *
   * @param beside what each run took, by label, in the order of the rows
   * @param mishaps by label; of those that have no run, rows are added
   */
  public static String of(Map<String, List<Beside>> beside, Map<String, Mishaps> mishaps) {
    StringBuilder text =
        new StringBuilder("| beside the tasks, s: medians of runs | runs | all | inputs |");
    text.append(" rest before | start and end | end until all is at rest | results | removal |");
    text.append(" failed runs | attempts again | failed or lost | cancelled |\n|---|");
    text.append("---|".repeat(12)).append('\n');
    Map<String, List<Beside>> all = new LinkedHashMap<>(beside);
    mishaps.keySet().stream().sorted().forEach(label -> all.putIfAbsent(label, List.of()));
    all.forEach(
        (label, runs) ->
            text.append(row(label, runs)).append(row(mishaps.getOrDefault(label, Mishaps.NONE))));
    return text.toString();
  }

  private static String row(String label, List<Beside> runs) {
    List<String> cells = new ArrayList<>(List.of(label, Integer.toString(runs.size())));
    cells.add(cell(runs, Beside.median(runs)));
    cells.add(cell(runs, Beside.median(runs, run -> run.steps().provide())));
    cells.add(cell(runs, Beside.median(runs, run -> run.steps().rest())));
    cells.add(cell(runs, Beside.median(runs, Beside::startAndEnd)));
    cells.add(cell(runs, Beside.medianSettle(runs)));
    cells.add(cell(runs, Beside.median(runs, run -> run.steps().fetch())));
    cells.add(cell(runs, Beside.median(runs, run -> run.steps().clean())));
    return "| " + String.join(" | ", cells);
  }

  private static String cell(List<Beside> runs, double seconds) {
    return runs.isEmpty() ? NOTHING : String.format(Locale.ROOT, "%.1f", seconds);
  }

  private static String row(Mishaps mishaps) {
    return String.format(
        Locale.ROOT,
        " | %d | %d | %d | %d |\n",
        mishaps.failedRuns(),
        mishaps.again(),
        mishaps.failed(),
        mishaps.cancelled());
  }
}
