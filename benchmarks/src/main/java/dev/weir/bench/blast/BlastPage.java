package dev.weir.bench.blast;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.series.BenchPage;
import dev.weir.bench.series.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Draws the runs. */
final class BlastPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private BlastPage() {}

  /**
   * Writes the page.
   *
   * @param samples by how many replicas the database had
   * @param about where and how it was measured
   * @param html replaced when it exists
   */
  static void write(Map<String, List<BlastSample>> samples, String about, Path html)
      throws IOException {
    Files.writeString(
        html,
        BenchPage.of(
            BlastPage.class,
            "blast",
            "BLAST by the replicas of its database",
            json(samples, about).toString()));
  }

  static ObjectNode json(Map<String, List<BlastSample>> samples, String about) {
    ObjectNode data = JSON.createObjectNode().put("about", about);
    ArrayNode columns = data.putArray("columns");
    samples.forEach(
        (label, runs) -> {
          ObjectNode column = columns.addObject().put("label", label);
          column.put("runs", runs.size());
          column.put("localShare", BlastTable.localShare(runs));
          column.put("networkBytes", BlastTable.networkBytes(runs));
          column.put("peakStorage", BlastTable.peakStorage(runs));
          ArrayNode versus = column.putArray("versus");
          for (String part : List.of(BlastTable.WORKFLOW, BlastTable.WHOLE)) {
            BlastTable.versus(samples, runs, part)
                .ifPresent(
                    one -> {
                      ObjectNode node = versus.addObject().put("name", part);
                      node.put("ratio", one.ratio());
                      if (!Double.isNaN(one.p())) {
                        node.put("p", one.p());
                      }
                    });
          }
          ArrayNode parts = column.putArray("parts");
          BlastTable.parts()
              .forEach(
                  (name, part) -> {
                    Figures figures = BlastTable.figures(runs, part);
                    parts
                        .addObject()
                        .put("name", name)
                        .put("mean", figures.mean())
                        .put("deviation", figures.deviation());
                  });
        });
    return data;
  }
}
