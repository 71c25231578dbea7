package dev.weir.bench.morph;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.morph.MorphResults.Outcome;
import dev.weir.bench.report.ReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Renders the page of the results: throughput by capacity, as in the study's Figure 5. */
final class MorphPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private MorphPage() {}

  /** Writes the page. */
  static void write(MorphResults results, Path html) throws IOException {
    Files.writeString(
        html,
        ReportPage.of(
            MorphPage.class,
            "morph",
            "Replicas by use and reads from several replicas",
            json(results).toString()));
  }

  static ObjectNode json(MorphResults results) {
    ObjectNode data = JSON.createObjectNode().put("tables", results.markdown());
    results.threads().forEach(data.putArray("threads")::add);
    ArrayNode workloads = data.putArray("workloads");
    for (MorphWorkload workload : MorphWorkload.values()) {
      Map<String, Outcome> outcomes = results.outcomes(workload);
      if (!outcomes.isEmpty()) {
        ObjectNode node = workloads.addObject().put("name", workload.label());
        ArrayNode setups = node.putArray("setups");
        outcomes.values().forEach(outcome -> put(setups.addObject(), outcome, results));
      }
    }
    return data;
  }

  private static void put(ObjectNode node, Outcome outcome, MorphResults results) {
    node.put("label", outcome.setup().label())
        .put("kind", outcome.setup().kind().label())
        .put("capacity", outcome.mean(MorphRun::capacity))
        .put("mean", outcome.harmonicMeans().mean() / MorphResults.MEGABYTE);
    ArrayNode levels = node.putArray("levels");
    for (int level = 0; level < results.threads().size(); level++) {
      levels.add(outcome.throughputs(level).mean() / MorphResults.MEGABYTE);
    }
  }
}
