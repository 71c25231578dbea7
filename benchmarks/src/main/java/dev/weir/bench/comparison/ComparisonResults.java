package dev.weir.bench.comparison;

import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.SessionTable;
import dev.weir.bench.report.SetupsPage;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.RunLoop;
import dev.weir.bench.series.SeriesDirectory;
import dev.weir.bench.series.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes tables and page of all runs of a series, over all sessions. */
final class ComparisonResults implements RunLoop.Results {
  private final Text text;
  private final Path out;
  private final Runs runs;
  private final List<Session> sessions;

  /**
   * The texts.
   *
   * @param name of the files, without extension
   * @param heading of the page
   * @param about the conditions of the measurement
   */
  record Text(String name, String heading, String about) {}

  /**
   * The runs of a series.
   *
   * @param withoutData seconds that tasks take without data, by subject
   */
  record Runs(SeriesDirectory directory, RecordedSeries recorded, Map<String, Double> withoutData) {

    Runs {
      withoutData = Map.copyOf(withoutData);
    }
  }

  /**
   * Creates the results of a series.
   *
   * @param out the directory of the files
   * @param sessions all sessions in order
   */
  ComparisonResults(Text text, Path out, Runs runs, List<Session> sessions) {
    this.text = text;
    this.out = out;
    this.runs = runs;
    this.sessions = List.copyOf(sessions);
  }

  @Override
  public void write() throws IOException {
    List<Comparison> all = comparisons();
    Files.writeString(
        out.resolve(text.name() + ".csv"),
        ComparisonTables.csvHeader()
            + all.stream().map(ComparisonTables::csv).collect(Collectors.joining()));
    Files.writeString(
        out.resolve(text.name() + "-placement.csv"), PlacementTables.csv(recordedRuns()));
    String tables = markdown(all);
    Files.writeString(out.resolve(text.name() + ".md"), tables);
    SetupsPage page = new SetupsPage(tables);
    all.forEach(one -> page.add(one.name(), one.series(), OptionalDouble.empty()));
    page.write(text.heading(), out.resolve(text.name() + ".html"));
  }

  String markdown() throws IOException {
    return markdown(comparisons());
  }

  private String markdown(List<Comparison> all) throws IOException {
    return ComparisonTables.markdown(all, text.about())
        + "\n"
        + PlacementTables.markdown(recordedRuns())
        + "\n"
        + TransferTables.markdown(recordedRuns())
        + "\n"
        + SessionTable.of(sessions, runs.recorded());
  }

  private Map<String, List<RecordedRun>> recordedRuns() throws IOException {
    Map<String, List<RecordedRun>> all = new LinkedHashMap<>();
    for (String group : runs.directory().groups()) {
      List<RecordedRun> made = runs.recorded().runs(group);
      if (!made.isEmpty()) {
        all.put(group, made);
      }
    }
    return all;
  }

  private List<Comparison> comparisons() throws IOException {
    List<Comparison> all = new ArrayList<>();
    RecordedSeries recorded = runs.recorded();
    SeriesDirectory directory = runs.directory();
    for (String group : directory.groups()) {
      if (!recorded.runs(group).isEmpty() || !recorded.failed(group).isEmpty()) {
        SeriesSamples series = SeriesSamples.of(recorded.runs(group), Set.of());
        all.add(
            new Comparison(
                group,
                directory.about(group),
                series,
                FailureCounts.of(recorded, group),
                runs.withoutData().get(group)));
      }
    }
    return all;
  }
}
