package dev.weir.bench.patterns;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.ReportPage;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Renders the page of the results. */
final class PatternPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PatternPage() {}

  /**
   * Writes the page.
   *
   * @param about the conditions of the measurement
   * @param html the file, overwritten if it exists
   */
  static void write(List<PatternOutcome> outcomes, String about, Path html) throws IOException {
    ObjectNode data = JSON.createObjectNode().put("about", about);
    ArrayNode experiments = data.putArray("experiments");
    outcomes.forEach(outcome -> experiments.add(experiment(outcome)));
    Files.writeString(
        html,
        ReportPage.of(
            PatternPage.class, "patterns", "Access patterns of workflows", data.toString()));
  }

  private static ObjectNode experiment(PatternOutcome outcome) {
    SeriesSamples series = outcome.series();
    ObjectNode node =
        JSON.createObjectNode()
            .put("label", outcome.experiment().label())
            .put("bound", outcome.bound().seconds())
            .put("linkBound", outcome.bound().linkSeconds())
            .put("localBound", outcome.bound().localSeconds())
            .put("staged", outcome.staged())
            .put("inARow", outcome.inARow());
    series
        .bestStockVersusWeir(Sample::seconds)
        .ifPresent(versus -> put(node.putObject("bestStock"), versus));
    series
        .bestStockVersusWeir(PatternOutcome::staged)
        .ifPresent(versus -> put(node.putObject("stagedBestStock"), versus));
    ArrayNode remarks = node.putArray("remarks");
    outcome.uneven().ifPresent(remarks::add);
    ArrayNode setups = node.putArray("setups");
    series.bySetup().keySet().forEach(setup -> setup(setups.addObject(), outcome, setup));
    ArrayNode stages = node.putArray("stages");
    StageTimes.of(series).forEach(stage -> put(stages.addObject(), stage));
    return node;
  }

  private static void put(ObjectNode node, TimingComparison versus) {
    node.put("ratio", versus.ratio());
    ReportPage.put(node, "p", versus.p());
  }

  private static void put(ObjectNode node, StageTimes stage) {
    node.put("name", stage.name());
    ObjectNode times = node.putObject("times");
    stage.times().forEach((setup, figures) -> put(times.putObject(setup.label()), figures));
    stage.versus().ifPresent(versus -> put(node.putObject("bestStock"), versus));
  }

  /** Missing values become null. */
  private static void put(ObjectNode node, TimingStatistics figures) {
    int runs = figures.means().size();
    node.put("runs", runs).put("mean", figures.mean());
    ReportPage.put(node, "deviation", runs < 2 ? Double.NaN : figures.deviation());
    ReportPage.put(node, "deviationWithin", figures.deviationWithin());
  }

  private static void setup(ObjectNode node, PatternOutcome outcome, Setup setup) {
    SeriesSamples series = outcome.series();
    List<Sample> samples = series.of(setup);
    List<RunOverhead> overheads = series.overheads(setup);
    node.put("label", setup.label());
    TimingStatistics figures =
        series.bySetup().getOrDefault(setup, new TimingStatistics(List.of()));
    put(node, figures);
    figures.seconds().forEach(node.withArray("seconds")::add);
    node.put("repetitions", samples.size())
        .put("localShare", Sample.meanLocalShare(samples))
        .put("networkBytes", Sample.meanNetworkBytes(samples))
        .put("peakStorage", Sample.meanPeakStorage(samples))
        .put("beside", RunOverhead.median(overheads))
        .put("settle", RunOverhead.medianSettle(overheads));
    TimingStatistics staged =
        series.bySetup(PatternOutcome::staged).getOrDefault(setup, new TimingStatistics(List.of()));
    put(node.putObject("stagedTimes"), staged);
    if (!setup.equals(Setup.WEIR)) {
      series
          .versusWeir(setup, Sample::seconds)
          .ifPresent(one -> ReportPage.put(node, "p", one.p()));
      series
          .versusWeir(setup, PatternOutcome::staged)
          .ifPresent(one -> ReportPage.put(node, "stagedP", one.p()));
    }
    ReportPage.put(node, outcome.failures().getOrDefault(setup.label(), FailureCounts.NONE));
  }
}
