package dev.weir.bench.blast;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.ReportPage;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Renders the page of the runs. */
final class BlastPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private BlastPage() {}

  /**
   * Writes the page.
   *
   * @param samples by the replicas of the database
   * @param failures by the replicas of the database
   * @param about the conditions of the measurement
   * @param html the file, overwritten if it exists
   */
  static void write(
      Map<String, List<BlastSample>> samples,
      Map<String, FailureCounts> failures,
      String about,
      Path html)
      throws IOException {
    Files.writeString(
        html,
        ReportPage.of(
            BlastPage.class,
            "blast",
            "BLAST by the replicas of its database",
            json(samples, failures, about).toString()));
  }

  static ObjectNode json(
      Map<String, List<BlastSample>> samples, Map<String, FailureCounts> failures, String about) {
    ObjectNode data = JSON.createObjectNode().put("about", about);
    ArrayNode columns = data.putArray("columns");
    samples.forEach((label, runs) -> column(columns.addObject().put("label", label), runs));
    for (JsonNode column : columns) {
      String label = column.path("label").asText();
      compare((ObjectNode) column, samples, samples.getOrDefault(label, List.of()));
      ReportPage.put((ObjectNode) column, failures.getOrDefault(label, FailureCounts.NONE));
    }
    ArrayNode remarks = data.putArray("remarks");
    for (String part : BlastTable.COMPARED) {
      AutomaticReplicas.of(samples, part).ifPresent(choice -> remarks.add(choice.text()));
    }
    FailureCounts.neverMade(failures, samples.keySet()).ifPresent(remarks::add);
    return data;
  }

  private static void column(ObjectNode column, List<BlastSample> runs) {
    List<RunOverhead> beside = runs.stream().map(BlastSample::beside).toList();
    column
        .put("runs", runs.size())
        .put("replicas", BlastTable.replicas(runs))
        .put("localShare", BlastTable.localShare(runs))
        .put("networkBytes", BlastTable.networkBytes(runs))
        .put("peakStorage", BlastTable.peakStorage(runs))
        .put("settle", RunOverhead.medianSettle(beside));
    ArrayNode parts = column.putArray("parts");
    BlastTable.parts()
        .forEach(
            (name, part) -> {
              TimingStatistics figures = BlastTable.figures(runs, part);
              parts
                  .addObject()
                  .put("name", name)
                  .put("mean", figures.mean())
                  .put("deviation", figures.deviation());
            });
  }

  private static void compare(
      ObjectNode column, Map<String, List<BlastSample>> samples, List<BlastSample> runs) {
    ArrayNode all = column.putArray("versus");
    for (String part : BlastTable.COMPARED) {
      BlastTable.versus(samples, runs, part)
          .ifPresent(comparison -> put(all.addObject(), part, comparison));
    }
  }

  private static void put(ObjectNode node, String part, TimingComparison versus) {
    node.put("name", part).put("ratio", versus.ratio());
    ReportPage.put(node, "p", versus.p());
  }
}
