package dev.weir.bench.measure;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Readings of counters, in order of time. Not thread-safe. */
final class CounterReadings {
  /** Counters are read ten times a second, so a greater gap means that readings have failed. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  private final List<Reading> readings = new ArrayList<>();
  private @Nullable IOException failure;

  /**
   * A reading.
   *
   * @param sent bytes that all nodes together had sent
   * @param storage bytes of all replicas in HDFS
   */
  private record Reading(Instant time, long sent, long storage) {}

  void add(Instant time, long sent, long storage) {
    readings.add(new Reading(time, sent, storage));
  }

  /** Records a failed reading. Single failures are tolerated. */
  void failed(IOException reason) {
    failure = reason;
  }

  /**
   * Returns the bytes that had been sent at a moment.
   *
   * @throws IOException if there is no reading shortly before it
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
              + ": the bytes sent since then are not known",
          failure);
    }
    return last.sent();
  }

  /** Returns the maximum of the bytes in HDFS since a moment; 0 if there is no reading. */
  long peakStorageSince(Instant moment) {
    return readings.stream()
        .filter(reading -> !reading.time().isBefore(moment))
        .mapToLong(Reading::storage)
        .max()
        .orElse(0);
  }
}
