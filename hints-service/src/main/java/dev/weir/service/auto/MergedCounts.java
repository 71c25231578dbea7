package dev.weir.service.auto;

import dev.weir.hints.LogLimit;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sum of what all NameNodes have counted. Each NameNode counts the calls that it served, so
 * after a failover the counts of both are added. What a NameNode that has died or restarted had
 * counted is kept as last read, and decays. Thread-safe.
 */
public final class MergedCounts {
  private static final Logger LOG = LoggerFactory.getLogger(MergedCounts.class);
  private static final Duration DEFAULT_HALF_LIFE = Duration.ofDays(1);

  private final List<URI> nameNodes;
  private final CountSource source;
  private final InstantSource clock;
  private final LogLimit logLimit = LogLimit.oncePerMinute();
  private final Map<URI, CountSource.Reading> latest = new HashMap<>();
  private final Map<URI, Instant> readAt = new HashMap<>();
  private AccessCounts carried = AccessCounts.NONE;
  private Instant carriedAt;
  private volatile Sum sum;

  /**
   * The sum of all counts.
   *
   * @param at the time of the sum
   * @param since when the last of all NameNodes began to count; null if one did not answer
   * @param known how many NameNodes' counts it has
   */
  private record Sum(
      AccessCounts counts, Instant at, Duration halfLife, @Nullable Instant since, int known) {}

  /** Creates counts that are empty before the first refresh. */
  public MergedCounts(List<URI> nameNodes, CountSource source, InstantSource clock) {
    this.nameNodes = List.copyOf(nameNodes);
    this.source = source;
    this.clock = clock;
    this.carriedAt = clock.instant();
    this.sum = new Sum(AccessCounts.NONE, carriedAt, DEFAULT_HALF_LIFE, null, 0);
  }

  /** Reads the counts of all NameNodes. Those that do not answer keep their last ones. */
  public void refresh() {
    Map<URI, CountSource.Reading> answers = new HashMap<>();
    for (URI nameNode : nameNodes) {
      try {
        answers.put(nameNode, source.read(nameNode));
      } catch (IOException e) {
        if (logLimit.permits()) {
          LOG.warn("Cannot read the access counts of the NameNode {}: {}", nameNode, e.toString());
        }
      }
    }
    merge(answers);
  }

  private synchronized void merge(Map<URI, CountSource.Reading> answers) {
    Instant now = clock.instant();
    Duration halfLife = sum.halfLife();
    Instant youngest = Instant.EPOCH;
    for (Map.Entry<URI, CountSource.Reading> answer : answers.entrySet()) {
      CountSource.Reading reading = answer.getValue();
      halfLife = reading.halfLife();
      youngest = reading.started().isAfter(youngest) ? reading.started() : youngest;
      CountSource.Reading last = latest.put(answer.getKey(), reading);
      Instant before = readAt.put(answer.getKey(), now);
      if (last != null && before != null && !last.started().equals(reading.started())) {
        carry(decayed(last.counts(), before, now, halfLife), now, halfLife);
      }
    }
    publish(now, halfLife, answers.size() == nameNodes.size() ? youngest : null);
  }

  /** Adds counts, such as those of a profile, which decay from now on. */
  public synchronized void add(AccessCounts counts) {
    Instant now = clock.instant();
    carry(counts, now, sum.halfLife());
    publish(now, sum.halfLife(), sum.since());
  }

  /** Returns the sum of all counts as of now. Never waits for a NameNode. */
  public AccessCounts current() {
    Sum last = sum;
    return decayed(last.counts(), last.at(), clock.instant(), last.halfLife());
  }

  /**
   * Returns whether all NameNodes answered the last refresh and have counted for a half-life.
   * Otherwise a file without accesses may be in use nevertheless.
   */
  public boolean isEstablished() {
    Sum last = sum;
    return last.since() != null && !clock.instant().isBefore(last.since().plus(last.halfLife()));
  }

  /** Returns the number of NameNodes whose counts are known. */
  public int known() {
    return sum.known();
  }

  /** Returns the time in which a count halves. */
  public Duration halfLife() {
    return sum.halfLife();
  }

  /** Must be called with the monitor held. */
  private void carry(AccessCounts counts, Instant now, Duration halfLife) {
    carried = decayed(carried, carriedAt, now, halfLife).plus(counts);
    carriedAt = now;
  }

  /** Must be called with the monitor held. */
  private void publish(Instant now, Duration halfLife, @Nullable Instant since) {
    AccessCounts all = decayed(carried, carriedAt, now, halfLife);
    for (Map.Entry<URI, CountSource.Reading> entry : latest.entrySet()) {
      Instant at = readAt.getOrDefault(entry.getKey(), now);
      all = all.plus(decayed(entry.getValue().counts(), at, now, halfLife));
    }
    sum = new Sum(all, now, halfLife, since, latest.size());
  }

  private static AccessCounts decayed(
      AccessCounts counts, Instant from, Instant to, Duration halfLife) {
    double halfLives = (double) Duration.between(from, to).toMillis() / halfLife.toMillis();
    return halfLives <= 0 ? counts : counts.decayed(Math.pow(2, -halfLives));
  }
}
