package dev.weir.bench.patterns;

import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.series.RunNotes;
import dev.weir.bench.series.RunSteps;
import dev.weir.bench.series.RunUsage;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads the files that {@link PatternCsv} writes, which have no failed runs. */
final class PatternCsvReader {
  private static final String REMEDY =
      ": copy patterns.csv of the series again, and change only its # lines";

  private PatternCsvReader() {}

  /**
   * A stored series.
   *
   * @param comments the lines with its command and commit, each starting with {@code #}
   * @param outcomes of its experiments, in the order of the file
   */
  record Series(List<String> comments, List<PatternOutcome> outcomes) {
    /** Copies the lists. */
    Series {
      comments = List.copyOf(comments);
      outcomes = List.copyOf(outcomes);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if it is not the results of a series; the message names the
   *     line and the remedy
   * @throws IOException if it cannot be read
   */
  static Series read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> comments = lines.stream().takeWhile(line -> line.startsWith("#")).toList();
    int header = comments.size();
    if (comments.isEmpty() || lines.size() < header + 2) {
      throw new IllegalArgumentException(
          file + " needs a line '# COMMAND  # COMMIT', a line of columns and repetitions" + REMEDY);
    }
    List<String> columns = List.of(lines.get(header).split(",", -1));
    Map<Experiment, List<Row>> rows = new LinkedHashMap<>();
    Set<List<Object>> repetitions = new HashSet<>();
    for (int i = header + 1; i < lines.size(); i++) {
      Row row = new Row(file + ":" + (i + 1), columns, List.of(lines.get(i).split(",", -1)));
      rows.computeIfAbsent(row.experiment(), one -> new ArrayList<>()).add(row);
      if (!repetitions.add(List.of(row.experiment(), row.text("setup"), row.text("repeat")))) {
        throw new IllegalArgumentException(
            row.place + ": a second repetition of this number: store --replicas in another file");
      }
    }
    List<PatternOutcome> outcomes = new ArrayList<>();
    rows.forEach((experiment, some) -> outcomes.add(outcome(experiment, some)));
    return new Series(comments, outcomes);
  }

  private static PatternOutcome outcome(Experiment experiment, List<Row> rows) {
    SeriesSamples series = new SeriesSamples(rows.stream().map(Row::sample).toList());
    boolean staged = !series.having(PatternWorkflow.STAGE_IN).samples().isEmpty();
    LowerBound bound = rows.get(0).bound(experiment);
    return new PatternOutcome(experiment, experiment.label(), series, bound, staged, Map.of());
  }

  /** One line, and where it is. */
  private record Row(String place, List<String> columns, List<String> cells) {
    Row {
      if (cells.size() != columns.size()) {
        throw new IllegalArgumentException(
            place + ": " + cells.size() + " cells for " + columns.size() + " columns" + REMEDY);
      }
    }

    Experiment experiment() {
      return new Experiment(
          constant("pattern", Pattern.class),
          constant("size", PatternSize.class),
          constant("variant", PatternVariant.class),
          number("scale"),
          whole("nodes"),
          0);
    }

    LowerBound bound(Experiment experiment) {
      return new LowerBound(
          number("link_bound_seconds"), number("local_seconds"), LowerBound.overlaps(experiment));
    }

    Sample sample() {
      RunUsage usage =
          new RunUsage(
              value("network_bytes", Long::parseLong),
              value("peak_storage_bytes", Long::parseLong));
      RunSteps steps =
          new RunSteps(
              number("provide_seconds"),
              number("rest_seconds"),
              number("submitted_seconds"),
              number("settle_seconds"),
              number("fetch_seconds"),
              number("clean_seconds"));
      return new Sample(
          value("setup", Setup::ofLabel),
          new Sample.Ordinal(whole("run"), whole("repeat")),
          new Sample.Times(number("seconds"), number("staged_seconds"), number("run_seconds")),
          value("stages", Row::stages),
          number("local_share"),
          new RunNotes(
              whole("session"), value("begun", Instant::parse), usage, steps, whole("replicas")));
    }

    private static TreeMap<String, Double> stages(String text) {
      TreeMap<String, Double> stages = new TreeMap<>();
      for (String stage : text.split(";", -1)) {
        int end = stage.indexOf('=');
        stages.put(stage.substring(0, Math.max(0, end)), parse(stage.substring(end + 1)));
      }
      return stages;
    }

    private static double parse(String text) {
      double number = Double.parseDouble(text);
      if (number >= 0 && Double.isFinite(number)) {
        return number;
      }
      throw new IllegalArgumentException("not a number of 0 or more");
    }

    private double number(String column) {
      return value(column, Row::parse);
    }

    private int whole(String column) {
      return value(column, Integer::parseInt);
    }

    private <E extends Enum<E>> E constant(String column, Class<E> type) {
      return value(
          column, text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')));
    }

    private <T> T value(String column, Function<String, T> parser) {
      String text = text(column);
      try {
        return parser.apply(text);
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new IllegalArgumentException(
            place + ": " + column + " cannot be '" + text + "'" + REMEDY, e);
      }
    }

    String text(String column) {
      if (!columns.contains(column)) {
        throw new IllegalArgumentException(place + ": no column " + column + REMEDY);
      }
      return cells.get(columns.indexOf(column));
    }
  }
}
