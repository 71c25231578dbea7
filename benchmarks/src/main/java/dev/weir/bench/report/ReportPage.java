package dev.weir.bench.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.report.OfflinePage;
import java.io.IOException;

/**
 * One HTML file of an experiment, which opens without a network: what all of them share, and what
 * the experiment has beside its class: the body ({@code .html}), more style ({@code .css}) and what
 * draws it ({@code .js}) with the help of {@code bench}.
 */
public final class ReportPage {
  private static final String BODY = "@@BODY@@";

  private ReportPage() {}

  /**
   * Makes a page.
   *
   * @param owner the class that the experiment's parts lie beside
   * @param name of these, without ending
   * @param title plain text
   * @param json the data
   * @throws IOException when a part or the charting library is not on the class path
   */
  public static String of(Class<?> owner, String name, String title, String json)
      throws IOException {
    return OfflinePage.of(
        new OfflinePage.Parts(
            shared(".html").replace(BODY, OfflinePage.resource(owner, name + ".html").strip()),
            shared(".css") + OfflinePage.resource(owner, name + ".css"),
            shared(".js") + OfflinePage.resource(owner, name + ".js")),
        title,
        json);
  }

  /** Adds a number to what a page is told; null where there is none, which is NaN here. */
  public static void put(ObjectNode node, String key, double value) {
    if (Double.isNaN(value)) {
      node.putNull(key);
    } else {
      node.put(key, value);
    }
  }

  /** Adds what went otherwise than planned. */
  public static void put(ObjectNode node, FailureCounts mishaps) {
    node.put("failedRuns", mishaps.failedRuns())
        .put("again", mishaps.again())
        .put("failed", mishaps.failed())
        .put("cancelled", mishaps.cancelled());
  }

  private static String shared(String ending) throws IOException {
    return OfflinePage.resource(ReportPage.class, "bench" + ending);
  }
}
