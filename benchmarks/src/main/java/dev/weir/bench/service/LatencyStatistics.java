package dev.weir.bench.service;

import java.util.Locale;
import org.apache.commons.math3.stat.descriptive.DescriptiveStatistics;

/** The latency of each request of a kind. Not thread-safe. */
final class LatencyStatistics {
  private static final double NANOS_A_MILLI = 1e6;

  private final DescriptiveStatistics millis = new DescriptiveStatistics();

  void add(long nanos) {
    millis.addValue(nanos / NANOS_A_MILLI);
  }

  void addAll(LatencyStatistics others) {
    for (double each : others.millis.getValues()) {
      millis.addValue(each);
    }
  }

  int count() {
    return (int) millis.getN();
  }

  /** Returns the kind, the rate per second, and p50, p99 and the maximum in milliseconds. */
  String line(String format, String kind, double seconds) {
    return String.format(
        Locale.ROOT,
        format,
        kind,
        count(),
        count() / seconds,
        millis.getPercentile(50),
        millis.getPercentile(99),
        millis.getMax());
  }
}
