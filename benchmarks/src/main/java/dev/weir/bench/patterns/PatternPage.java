package dev.weir.bench.patterns;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.series.BenchPage;
import dev.weir.bench.series.Beside;
import dev.weir.bench.series.Figures;
import dev.weir.bench.series.Mishaps;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Series;
import dev.weir.bench.series.Setup;
import dev.weir.bench.series.Versus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Draws what came out. */
final class PatternPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PatternPage() {}

  /**
   * Writes the page.
   *
   * @param about where and how it was measured
   * @param html replaced when it exists
   */
  static void write(List<Outcome> outcomes, String about, Path html) throws IOException {
    ObjectNode data = JSON.createObjectNode().put("about", about);
    ArrayNode experiments = data.putArray("experiments");
    outcomes.forEach(outcome -> experiments.add(experiment(outcome)));
    Files.writeString(
        html,
        BenchPage.of(
            PatternPage.class, "patterns", "Access patterns of workflows", data.toString()));
  }

  private static ObjectNode experiment(Outcome outcome) {
    Series series = outcome.series();
    ObjectNode node =
        JSON.createObjectNode()
            .put("label", outcome.title())
            .put("bound", outcome.bound().seconds())
            .put("linkBound", outcome.bound().linkSeconds())
            .put("localBound", outcome.bound().localSeconds())
            .put("staged", outcome.staged())
            .put("inARow", outcome.inARow());
    series
        .bestStockVersusWeir(Sample::seconds)
        .ifPresent(versus -> put(node.putObject("bestStock"), versus));
    series
        .bestStockVersusWeir(Outcome::staged)
        .ifPresent(versus -> put(node.putObject("stagedBestStock"), versus));
    Sweep.of(series).ifPresent(sweep -> put(node.putObject("choice"), sweep));
    List<String> labels = series.bySetup().keySet().stream().map(Setup::label).toList();
    ArrayNode remarks = node.putArray("remarks");
    outcome.uneven().ifPresent(remarks::add);
    Mishaps.neverMade(outcome.mishaps(), labels).ifPresent(remarks::add);
    ArrayNode setups = node.putArray("setups");
    series.bySetup().keySet().forEach(setup -> setup(setups.addObject(), outcome, setup));
    ArrayNode stages = node.putArray("stages");
    Stage.of(series).forEach(stage -> put(stages.addObject(), stage));
    return node;
  }

  private static void put(ObjectNode node, Versus versus) {
    node.put("ratio", versus.ratio());
    BenchPage.put(node, "p", versus.p());
  }

  private static void put(ObjectNode node, Sweep sweep) {
    node.put("replicas", sweep.choice())
        .put("best", sweep.best().copies())
        .put("good", sweep.isGood());
    sweep.chosen().forEach(node.withArray("chosen")::add);
    put(node, sweep.versus());
  }

  private static void put(ObjectNode node, Stage stage) {
    node.put("name", stage.name());
    ObjectNode times = node.putObject("times");
    stage.times().forEach((setup, figures) -> put(times.putObject(setup.label()), figures));
    stage.versus().ifPresent(versus -> put(node.putObject("bestStock"), versus));
  }

  /** What there is none of is null. */
  private static void put(ObjectNode node, Figures figures) {
    int runs = figures.means().size();
    node.put("runs", runs).put("mean", figures.mean());
    BenchPage.put(node, "deviation", runs < 2 ? Double.NaN : figures.deviation());
    BenchPage.put(node, "deviationWithin", figures.deviationWithin());
  }

  private static void setup(ObjectNode node, Outcome outcome, Setup setup) {
    Series series = outcome.series();
    List<Sample> samples = series.of(setup);
    List<Beside> beside = series.beside(setup);
    node.put("label", setup.label()).put("copies", setup.copies());
    Figures figures = series.bySetup().getOrDefault(setup, new Figures(List.of()));
    put(node, figures);
    figures.seconds().forEach(node.withArray("seconds")::add);
    node.put("repetitions", samples.size())
        .put("localShare", Sample.meanLocalShare(samples))
        .put("networkBytes", Sample.meanNetworkBytes(samples))
        .put("peakStorage", Sample.meanPeakStorage(samples))
        .put("beside", Beside.median(beside))
        .put("settle", Beside.medianSettle(beside));
    Figures staged = series.bySetup(Outcome::staged).getOrDefault(setup, new Figures(List.of()));
    put(node.putObject("stagedTimes"), staged);
    if (!setup.equals(Setup.WEIR)) {
      series.versusWeir(setup, Sample::seconds).ifPresent(one -> BenchPage.put(node, "p", one.p()));
      series
          .versusWeir(setup, Outcome::staged)
          .ifPresent(one -> BenchPage.put(node, "stagedP", one.p()));
    }
    BenchPage.put(node, outcome.mishaps().getOrDefault(setup.label(), Mishaps.NONE));
  }
}
