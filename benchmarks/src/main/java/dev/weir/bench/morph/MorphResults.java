package dev.weir.bench.morph;

import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.report.MarkdownTable;
import dev.weir.bench.report.SessionTable;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The results of a series: tables, CSV and page. */
final class MorphResults implements SeriesSession.Results {
  static final double MEGABYTE = 1e6;

  private final MorphBench.Plan plan;
  private final List<Session> sessions;
  private final List<MorphRun> runs;

  /**
   * The runs of a setup.
   *
   * @param runs at least one, all with the same levels
   */
  record Outcome(MorphSetup setup, List<MorphRun> runs) {
    /** Returns the harmonic means of the runs, in bytes a second. */
    TimingStatistics harmonicMeans() {
      return new TimingStatistics(runs.stream().map(MorphRun::harmonicMean).toList());
    }

    /** Returns the throughputs of a level, in bytes a second. */
    TimingStatistics throughputs(int level) {
      return new TimingStatistics(
          runs.stream().map(run -> run.levels().get(level).throughput()).toList());
    }

    double mean(ToDoubleFunction<MorphRun> value) {
      return runs.stream().mapToDouble(value).average().orElse(0);
    }
  }

  /** Creates the results of some runs, in any order. */
  MorphResults(MorphBench.Plan plan, List<Session> sessions, List<MorphRun> runs) {
    this.plan = plan;
    this.sessions = List.copyOf(sessions);
    this.runs = List.copyOf(runs);
  }

  @Override
  public void write() throws IOException {
    Files.writeString(plan.out().resolve("morph.csv"), csv());
    Files.writeString(plan.out().resolve("morph.md"), markdown());
    MorphPage.write(this, plan.out().resolve("morph.html"));
  }

  /** Returns the outcomes of a workload by label, in the order of tables. */
  Map<String, Outcome> outcomes(MorphWorkload workload) {
    Map<MorphSetup, List<MorphRun>> all = new LinkedHashMap<>();
    runs.stream()
        .filter(run -> run.id().group().equals(workload.label()))
        .sorted(Comparator.comparingInt(run -> run.id().repeat()))
        .forEach(
            run ->
                all.computeIfAbsent(
                        MorphSetup.ofLabel(run.id().setup()), setup -> new ArrayList<>())
                    .add(run));
    Map<String, Outcome> sorted = new LinkedHashMap<>();
    all.entrySet().stream()
        .sorted(
            Map.Entry.comparingByKey(
                Comparator.comparing(MorphSetup::kind).thenComparing(MorphSetup::budget)))
        .forEach(
            entry ->
                sorted.put(entry.getKey().label(), new Outcome(entry.getKey(), entry.getValue())));
    return sorted;
  }

  List<Integer> threads() {
    return plan.scale().threads();
  }

  /** Returns the conditions of the measurement. */
  String about() {
    MorphRunner.Scale scale = plan.scale();
    return String.format(
        Locale.ROOT,
        "%d nodes, each with a disk of %s; %d files of %d MiB; %d s for each level, in an order"
            + " drawn anew for each repetition, %s %d processors, load average before: %s.",
        plan.nodes(),
        scale.rate(),
        scale.files(),
        scale.fileBytes() >> 20,
        scale.time().toSeconds(),
        SessionTable.when(sessions),
        Runtime.getRuntime().availableProcessors(),
        String.join(
            ", ",
            sessions.stream()
                .map(session -> String.format(Locale.ROOT, "%.1f", session.load()))
                .toList()));
  }

  @Override
  public String markdown() {
    StringBuilder text = new StringBuilder(about()).append('\n');
    for (MorphWorkload workload : MorphWorkload.values()) {
      Map<String, Outcome> outcomes = outcomes(workload);
      if (!outcomes.isEmpty()) {
        MarkdownTable table = new MarkdownTable(columns());
        outcomes.values().forEach(outcome -> table.row(cells(outcome, outcomes)));
        text.append("\n## ").append(workload.label()).append("\n\n").append(table);
      }
    }
    return text.toString();
  }

  private List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("setup", "runs", "capacity"));
    threads().forEach(number -> columns.add("MB/s by " + number));
    columns.addAll(List.of("harmonic mean", "±", "÷ jbod", "÷ mirror-4 (p)", "÷ stripe (p)"));
    columns.addAll(List.of("÷ ideal (p)", "device ÷ read", "failed"));
    return columns;
  }

  private List<String> cells(Outcome outcome, Map<String, Outcome> all) {
    List<String> cells = new ArrayList<>();
    TimingStatistics means = outcome.harmonicMeans();
    cells.add(outcome.setup().label());
    cells.add(Integer.toString(outcome.runs().size()));
    cells.add(decimal(2, outcome.mean(MorphRun::capacity)));
    for (int level = 0; level < threads().size(); level++) {
      cells.add(decimal(1, outcome.throughputs(level).mean() / MEGABYTE));
    }
    cells.add(decimal(1, means.mean() / MEGABYTE));
    cells.add(
        outcome.runs().size() < 2 ? MarkdownTable.NONE : decimal(1, means.deviation() / MEGABYTE));
    cells.add(
        Optional.ofNullable(all.get("jbod"))
            .map(jbod -> decimal(2, means.mean() / jbod.harmonicMeans().mean()))
            .orElse(MarkdownTable.NONE));
    cells.add(over(means, all.get("mirror-4")));
    cells.add(over(means, all.get("stripe")));
    cells.add(over(means, all.get("ideal-" + outcome.setup().budget())));
    cells.add(decimal(2, outcome.mean(MorphRun::deviceShare)));
    cells.add(
        Long.toString(
            outcome.runs().stream()
                .flatMap(run -> run.levels().stream())
                .mapToLong(level -> level.operations().failed())
                .sum()));
    return cells;
  }

  /** Returns the ratio of two throughputs. */
  private static String over(TimingStatistics ours, @Nullable Outcome other) {
    return other == null || other.harmonicMeans().equals(ours)
        ? MarkdownTable.NONE
        : decimal(2, ours.mean() / other.harmonicMeans().mean())
            + " ("
            + TimingStatistics.p(ours.pValue(other.harmonicMeans()))
            + ")";
  }

  String csv() {
    StringBuilder text =
        new StringBuilder("# ")
            .append(String.join(", ", sessions.stream().map(Session::commit).distinct().toList()))
            .append(
                "\nworkload,setup,repeat,session,capacity,threads,seconds,read_bytes,"
                    + "written_bytes,device_read_bytes,device_written_bytes,operations,failures\n");
    for (MorphRun run : runs) {
      for (MorphRun.LoadLevel level : run.levels()) {
        text.append(
            String.format(
                Locale.ROOT,
                "%s,%s,%d,%d,%.4f,%d,%.3f,%d,%d,%d,%d,%d,%d\n",
                run.id().group(),
                run.id().setup(),
                run.id().repeat(),
                run.session(),
                run.capacity(),
                level.threads(),
                level.seconds(),
                level.moved().read(),
                level.moved().written(),
                level.disks().readBytes(),
                level.disks().writtenBytes(),
                level.operations().ended(),
                level.operations().failed()));
      }
    }
    return text.toString();
  }

  private static String decimal(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
