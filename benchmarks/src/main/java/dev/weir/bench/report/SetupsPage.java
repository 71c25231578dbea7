package dev.weir.bench.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The page of an experiment that compares setups: plots of their times, and the tables of its
 * Markdown file.
 */
public final class SetupsPage {
  private final ObjectNode data = JsonNodeFactory.instance.objectNode();
  private final ArrayNode charts = data.putArray("charts");

  /** Creates a page without plots. */
  public SetupsPage(String tables) {
    data.put("tables", tables);
  }

  /**
   * Adds the plots of a workflow.
   *
   * @param bound the lower bound of its time in seconds, if known
   */
  public void add(String name, SeriesSamples series, OptionalDouble bound) {
    ObjectNode chart = charts.addObject().put("name", name);
    bound.ifPresent(seconds -> chart.put("bound", seconds));
    chart.put("bestStockOverWeir", ratio(series.bestStockVersusWeir(Sample::seconds)));
    chart.put("stockR3OverWeir", ratio(series.versusWeir(Setup.STOCK_R3, Sample::seconds)));
    ArrayNode setups = chart.putArray("setups");
    series
        .bySetup()
        .forEach(
            (setup, times) -> {
              ObjectNode node =
                  setups
                      .addObject()
                      .put("label", setup.label())
                      .put("runs", times.means().size())
                      .put("mean", times.mean())
                      .put("deviation", times.deviation());
              times.seconds().forEach(node.putArray("seconds")::add);
            });
  }

  private static @Nullable Double ratio(Optional<TimingComparison> versus) {
    return versus.map(TimingComparison::ratio).orElse(null);
  }

  /**
   * Writes the page.
   *
   * @param html the file, overwritten if it exists
   */
  public void write(String title, Path html) throws IOException {
    Files.writeString(html, ReportPage.of(SetupsPage.class, "setups", title, data.toString()));
  }
}
