package dev.weir.bench.service;

import java.util.Arrays;
import java.util.Locale;

/** The latency of each request of a kind. Not thread-safe. */
final class LatencyStatistics {
  private static final double NANOS_A_MILLI = 1e6;

  private long[] nanos = new long[1024];
  private int count;

  void add(long time) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = time;
  }

  void addAll(LatencyStatistics others) {
    for (int i = 0; i < others.count; i++) {
      add(others.nanos[i]);
    }
  }

  int count() {
    return count;
  }

  /** Returns the kind, the rate per second, and p50, p99 and the maximum in milliseconds. */
  String line(String format, String kind, double seconds) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return String.format(
        Locale.ROOT,
        format,
        kind,
        count,
        count / seconds,
        millis(sorted, 0.5),
        millis(sorted, 0.99),
        millis(sorted, 1));
  }

  private static double millis(long[] sorted, double share) {
    if (sorted.length == 0) {
      return 0;
    }
    int at = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[Math.max(0, at)] / NANOS_A_MILLI;
  }
}
