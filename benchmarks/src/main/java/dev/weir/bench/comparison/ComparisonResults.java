package dev.weir.bench.comparison;

import dev.weir.bench.measure.SeriesSession;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.SessionTable;
import dev.weir.bench.report.SetupsPage;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.RecordedSeries;
import dev.weir.bench.series.SeriesDirectory;
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
final class ComparisonResults implements SeriesSession.Results {
  private final Text text;
  private final Path out;
  private final SeriesSession<RecordedRun> series;
  private final Map<String, Double> withoutData;

  /**
   * The texts.
   *
   * @param name of the files, without extension
   * @param heading of the page
   * @param about the conditions of the measurement
   */
  record Text(String name, String heading, String about) {}

  /**
   * Creates the results of a series.
   *
   * @param out the directory of the files
   * @param withoutData seconds that tasks take without data, by subject
   */
  ComparisonResults(
      Text text, Path out, SeriesSession<RecordedRun> series, Map<String, Double> withoutData) {
    this.text = text;
    this.out = out;
    this.series = series;
    this.withoutData = Map.copyOf(withoutData);
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

  @Override
  public String markdown() throws IOException {
    return markdown(comparisons());
  }

  private String markdown(List<Comparison> all) throws IOException {
    return ComparisonTables.markdown(all, text.about())
        + "\n"
        + PlacementTables.markdown(recordedRuns())
        + "\n"
        + TransferTables.markdown(recordedRuns())
        + "\n"
        + SessionTable.of(series.sessions(), series.recorded());
  }

  private Map<String, List<RecordedRun>> recordedRuns() throws IOException {
    Map<String, List<RecordedRun>> all = new LinkedHashMap<>();
    for (String group : series.directory().groups()) {
      List<RecordedRun> made = series.recorded().runs(group);
      if (!made.isEmpty()) {
        all.put(group, made);
      }
    }
    return all;
  }

  private List<Comparison> comparisons() throws IOException {
    List<Comparison> all = new ArrayList<>();
    RecordedSeries<RecordedRun> recorded = series.recorded();
    SeriesDirectory directory = series.directory();
    for (String group : directory.groups()) {
      if (!recorded.runs(group).isEmpty() || !recorded.failed(group).isEmpty()) {
        SeriesSamples samples = SeriesSamples.of(recorded.runs(group), Set.of());
        all.add(
            new Comparison(
                group,
                directory.about(group),
                samples,
                FailureCounts.of(recorded, group),
                withoutData.get(group)));
      }
    }
    return all;
  }
}
