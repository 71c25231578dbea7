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
  private Duration halfLife = DEFAULT_HALF_LIFE;
  private AccessCounts carried = AccessCounts.NONE;
  private Instant carriedAt;
  private @Nullable Instant since;

  /** Creates counts that are empty before the first refresh. */
  public MergedCounts(List<URI> nameNodes, CountSource source, InstantSource clock) {
    this.nameNodes = List.copyOf(nameNodes);
    this.source = source;
    this.clock = clock;
    this.carriedAt = clock.instant();
  }

  /** Reads the counts of all NameNodes. Those that do not answer keep their last ones. */
  public synchronized void refresh() {
    Instant now = clock.instant();
    Instant youngest = Instant.EPOCH;
    for (URI nameNode : nameNodes) {
      try {
        CountSource.Reading reading = source.read(nameNode);
        halfLife = reading.halfLife();
        youngest = reading.started().isAfter(youngest) ? reading.started() : youngest;
        CountSource.Reading last = latest.get(nameNode);
        if (last != null && !last.started().equals(reading.started())) {
          carry(decayed(last.counts(), readAt.getOrDefault(nameNode, now), now), now);
        }
        latest.put(nameNode, reading);
        readAt.put(nameNode, now);
      } catch (IOException e) {
        youngest = now;
        if (logLimit.permits()) {
          LOG.warn("Cannot read the access counts of the NameNode {}: {}", nameNode, e.toString());
        }
      }
    }
    if (since == null) {
      since = youngest;
    }
  }

  /** Adds counts, such as those of a profile, which decay from now on. */
  public synchronized void add(AccessCounts counts) {
    carry(counts, clock.instant());
  }

  /** Returns the sum of all counts as of now. */
  public synchronized AccessCounts current() {
    Instant now = clock.instant();
    AccessCounts sum = decayed(carried, carriedAt, now);
    for (Map.Entry<URI, CountSource.Reading> entry : latest.entrySet()) {
      Instant at = readAt.getOrDefault(entry.getKey(), now);
      sum = sum.plus(decayed(entry.getValue().counts(), at, now));
    }
    return sum;
  }

  /**
   * Returns whether the counts cover the last half-life. Before that, a file without accesses may
   * be in use nevertheless.
   */
  public synchronized boolean isEstablished() {
    return since != null && !clock.instant().isBefore(since.plus(halfLife));
  }

  /** Returns the number of NameNodes whose counts are known. */
  public synchronized int known() {
    return latest.size();
  }

  /** Returns the time in which a count halves. */
  public synchronized Duration halfLife() {
    return halfLife;
  }

  private void carry(AccessCounts counts, Instant now) {
    carried = decayed(carried, carriedAt, now).plus(counts);
    carriedAt = now;
  }

  private AccessCounts decayed(AccessCounts counts, Instant from, Instant to) {
    double halfLives = (double) Duration.between(from, to).toMillis() / halfLife.toMillis();
    return halfLives <= 0 ? counts : counts.decayed(Math.pow(2, -halfLives));
  }
}
