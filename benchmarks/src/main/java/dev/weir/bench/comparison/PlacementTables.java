package dev.weir.bench.comparison;

import dev.weir.bench.report.MarkdownTable;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.Setup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Writes how runs distributed data and tasks, as Markdown and as CSV. */
final class PlacementTables {
  private static final int PERCENT = 100;

  private PlacementTables() {}

  /**
   * Returns the means of each subject's setups.
   *
   * @param runs by subject
   */
  static String markdown(Map<String, List<RecordedRun>> runs) {
    List<Setup> setups =
        runs.values().stream()
            .flatMap(List::stream)
            .map(PlacementTables::setup)
            .distinct()
            .sorted(Setup.ORDER)
            .toList();
    List<String> columns =
        new ArrayList<>(
            List.of(
                "tasks without a copy, useless copies, Gini of bytes, of busy time, stored ÷ made,"
                    + " transfers"));
    setups.forEach(setup -> columns.add(setup.label()));
    MarkdownTable table = new MarkdownTable(columns);
    runs.forEach(
        (subject, all) -> {
          List<String> cells = new ArrayList<>(List.of(subject));
          setups.forEach(setup -> cells.add(cell(all, setup)));
          table.row(cells);
        });
    return table.toString();
  }

  private static String cell(List<RecordedRun> runs, Setup setup) {
    List<PlacementMeasures> all =
        runs.stream()
            .filter(run -> setup(run).equals(setup))
            .map(run -> PlacementMeasures.of(run.record()))
            .toList();
    return all.isEmpty()
        ? MarkdownTable.NONE
        : String.format(
            Locale.ROOT,
            "%.0f %%, %.0f %%, %.2f, %.2f, %.2f, %.0f",
            PERCENT * mean(all, PlacementMeasures::withoutCopy),
            PERCENT * mean(all, PlacementMeasures::uselessCopies),
            mean(all, PlacementMeasures::storedGini),
            mean(all, PlacementMeasures::busyGini),
            mean(all, PlacementMeasures::storedPerMade),
            mean(all, PlacementMeasures::transfers));
  }

  private static double mean(
      List<PlacementMeasures> all, ToDoubleFunction<PlacementMeasures> measure) {
    return all.stream().mapToDouble(measure).average().orElse(0);
  }

  /**
   * Returns a line for each run.
   *
   * @param runs by subject
   */
  static String csv(Map<String, List<RecordedRun>> runs) {
    StringBuilder text =
        new StringBuilder(
            "subject,setup,repeat,tasks_without_copy,useless_copies,stored_gini,busy_gini,"
                + "stored_per_made,transfers\n");
    runs.forEach(
        (subject, all) ->
            all.stream()
                .sorted(
                    Comparator.comparing(PlacementTables::setup, Setup.ORDER)
                        .thenComparingInt(run -> run.id().repeat()))
                .forEach(run -> text.append(line(subject, run))));
    return text.toString();
  }

  private static String line(String subject, RecordedRun run) {
    PlacementMeasures measures = PlacementMeasures.of(run.record());
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f\n",
        subject,
        run.id().setup(),
        run.id().repeat(),
        measures.withoutCopy(),
        measures.uselessCopies(),
        measures.storedGini(),
        measures.busyGini(),
        measures.storedPerMade(),
        measures.transfers());
  }

  private static Setup setup(RecordedRun run) {
    return Setup.ofLabel(run.id().setup());
  }
}
