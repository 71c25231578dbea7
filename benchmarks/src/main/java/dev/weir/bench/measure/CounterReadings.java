package dev.weir.bench.measure;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What counters said at several moments, in their order. Not for several threads at once. */
final class CounterReadings {
  /** Whoever reads ten times a second has read shortly before any moment. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  private final List<Reading> readings = new ArrayList<>();
  private @Nullable IOException failure;

  /**
   * What was read.
   *
   * @param sent bytes that all nodes together had sent
   * @param storage bytes of all replicas in HDFS
   */
  private record Reading(Instant time, long sent, long storage) {}

  void add(Instant time, long sent, long storage) {
    readings.add(new Reading(time, sent, storage));
  }

  /** One reading less is no harm. */
  void failed(IOException reason) {
    failure = reason;
  }

  /**
   * What had been sent at a moment.
   *
   * @throws IOException when nothing was read shortly before it
   */
  long sentAt(Instant moment) throws IOException {
    Reading last = null;
    for (Reading reading : readings) {
      if (!reading.time().isAfter(moment)) {
        last = reading;
      }
    }
    if (last == null || Duration.between(last.time(), moment).compareTo(LONGEST_GAP) > 0) {
      throw new IOException(
          "The counters of links were last read "
              + (last == null ? "never" : "at " + last.time())
              + " before "
              + moment
              + ": what was sent from then on is not known",
          failure);
    }
    return last.sent();
  }

  /** The most that HDFS held from a moment on; 0 when nothing was read. */
  long peakStorageSince(Instant moment) {
    return readings.stream()
        .filter(reading -> !reading.time().isBefore(moment))
        .mapToLong(Reading::storage)
        .max()
        .orElse(0);
  }
}
