package dev.weir.bench.patterns;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.report.OfflinePage;
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
        OfflinePage.of(
            PatternPage.class, "patterns", "Access patterns of workflows", data.toString()));
  }

  private static ObjectNode experiment(Outcome outcome) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("label", outcome.experiment().label())
            .put("bound", outcome.bound());
    ArrayNode setups = node.putArray("setups");
    Figures weir = outcome.bySetup().get(Setup.WEIR);
    outcome
        .bySetup()
        .forEach(
            (setup, figures) -> {
              List<Sample> samples = outcome.of(setup);
              ObjectNode one =
                  setups
                      .addObject()
                      .put("label", setup.label())
                      .put("mean", figures.mean())
                      .put("deviation", figures.deviation())
                      .put("localShare", Sample.meanLocalShare(samples))
                      .put("networkBytes", Sample.meanNetworkBytes(samples));
              double p = weir == null ? Double.NaN : figures.pValue(weir);
              if (Double.isNaN(p)) {
                one.putNull("p");
              } else {
                one.put("p", p);
              }
              figures.seconds().forEach(one.withArray("seconds")::add);
            });
    return node;
  }
}
