package dev.weir.bench.patterns;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.series.BenchPage;
import dev.weir.bench.series.Figures;
import dev.weir.bench.series.Sample;
import dev.weir.bench.series.Setup;
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
    ObjectNode node =
        JSON.createObjectNode()
            .put("label", outcome.title())
            .put("bound", outcome.bound().seconds())
            .put("linkBound", outcome.bound().linkSeconds())
            .put("localBound", outcome.bound().localSeconds())
            .put("staged", outcome.staged());
    ArrayNode setups = node.putArray("setups");
    outcome
        .series()
        .bySetup()
        .forEach((setup, figures) -> setups.add(setup(outcome, setup, figures)));
    return node;
  }

  private static ObjectNode setup(Outcome outcome, Setup setup, Figures figures) {
    List<Sample> samples = outcome.series().of(setup);
    Figures weir = outcome.series().bySetup().get(Setup.WEIR);
    Figures whole =
        outcome.series().bySetup(sample -> sample.times().staged()).getOrDefault(setup, figures);
    ObjectNode one =
        JSON.createObjectNode()
            .put("label", setup.label())
            .put("copies", setup.copies())
            .put("runs", samples.size())
            .put("mean", figures.mean())
            .put("deviation", figures.deviation())
            .put("whole", whole.mean())
            .put("wholeDeviation", whole.deviation())
            .put("localShare", Sample.meanLocalShare(samples))
            .put("networkBytes", Sample.meanNetworkBytes(samples))
            .put("peakStorage", Sample.meanPeakStorage(samples));
    double p = weir == null ? Double.NaN : figures.pValue(weir);
    if (Double.isNaN(p)) {
      one.putNull("p");
    } else {
      one.put("p", p);
    }
    figures.seconds().forEach(one.withArray("seconds")::add);
    ObjectNode stages = one.putObject("stages");
    samples
        .get(0)
        .stages()
        .keySet()
        .forEach(type -> stages.put(type, Sample.meanStage(samples, type)));
    return one;
  }
}
