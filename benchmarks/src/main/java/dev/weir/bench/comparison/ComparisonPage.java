package dev.weir.bench.comparison;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.bench.report.FailureCounts;
import dev.weir.bench.report.ReportPage;
import dev.weir.bench.report.RunOverhead;
import dev.weir.bench.report.Sample;
import dev.weir.bench.report.TimingComparison;
import dev.weir.bench.report.TimingStatistics;
import dev.weir.bench.series.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class ComparisonPage {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ComparisonPage() {}

  /**
   * Writes the page.
   *
   * @param heading the title
   * @param about the conditions of the measurement
   * @param html the file, overwritten if it exists
   */
  static void write(List<Comparison> comparisons, String heading, String about, Path html)
      throws IOException {
    Files.writeString(
        html,
        ReportPage.of(
            ComparisonPage.class, "comparisons", heading, json(comparisons, about).toString()));
  }

  static ObjectNode json(List<Comparison> comparisons, String about) {
    ObjectNode data = JSON.createObjectNode().put("about", about);
    put(data, "geometricMean", mean(comparisons, Comparison::bestStockOverWeir));
    put(
        data,
        "stockR3GeometricMean",
        mean(comparisons, comparison -> comparison.overWeir(Setup.STOCK_R3)));
    ArrayNode subjects = data.putArray("subjects");
    for (Comparison comparison : comparisons) {
      ObjectNode subject =
          subjects.addObject().put("name", comparison.name()).put("about", comparison.about());
      put(subject, "bestStockOverWeir", comparison.bestStockOverWeir().orElse(null));
      put(subject, "stockR3OverWeir", comparison.overWeir(Setup.STOCK_R3).orElse(null));
      put(subject, "p", comparison.pValue().filter(p -> !p.isNaN()).orElse(null));
      put(subject, "stagedBestStockOverWeir", comparison.stagedBestStockOverWeir().orElse(null));
      put(
          subject,
          "stagedP",
          comparison
              .stagedBestStockVersusWeir()
              .map(TimingComparison::p)
              .filter(p -> !p.isNaN())
              .orElse(null));
      ArrayNode setups = subject.putArray("setups");
      comparison
          .series()
          .bySetup()
          .forEach((setup, figures) -> setup(setups.addObject(), comparison, setup, figures));
    }
    return data;
  }

  private static @Nullable Double mean(
      List<Comparison> comparisons, Function<Comparison, Optional<Double>> ratio) {
    List<Double> ratios =
        comparisons.stream().flatMap(comparison -> ratio.apply(comparison).stream()).toList();
    return ratios.isEmpty() ? null : Comparison.geometricMean(ratios);
  }

  private static void setup(
      ObjectNode node, Comparison comparison, Setup setup, TimingStatistics figures) {
    List<Sample> samples = comparison.series().of(setup);
    put(
        node,
        "p",
        setup.equals(Setup.WEIR)
            ? null
            : comparison.weir().map(figures::pValue).filter(p -> !p.isNaN()).orElse(null));
    put(node, "stageIn", comparison.stageIn(setup).map(TimingStatistics::mean).orElse(null));
    ReportPage.put(node, comparison.failures().getOrDefault(setup.label(), FailureCounts.NONE));
    node.put("settle", RunOverhead.medianSettle(comparison.series().overheads(setup)));
    node.put("label", setup.label())
        .put("runs", samples.size())
        .put("mean", figures.mean())
        .put("deviation", figures.deviation())
        .put("localShare", Sample.meanLocalShare(samples))
        .put("networkBytes", Sample.meanNetworkBytes(samples))
        .put("peakStorage", Sample.meanPeakStorage(samples));
    ArrayNode seconds = node.putArray("seconds");
    figures.seconds().forEach(seconds::add);
  }

  private static void put(ObjectNode node, String key, @Nullable Double value) {
    if (value == null) {
      node.putNull(key);
    } else {
      node.put(key, value);
    }
  }
}
