package dev.weir.yarn.lookup;

import dev.weir.yarn.metrics.AskMetrics;
import java.io.FileNotFoundException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches where files are. Answers immediately and from any thread; the executor looks up what is
 * not cached. Memory is bounded by evicting the least recently used entries.
 */
public final class LocationCache {

  /**
   * How long an entry is fresh. Files seldom move while an application waits for containers, and
   * locations are only advice.
   */
  static final long FRESH_MILLIS = 10_000;

  /** Until this age an entry is still returned while it is being renewed. */
  public static final long USABLE_MILLIS = 60_000;

  /** How long a failure is cached: the file may exist later. */
  static final long FAILURE_MILLIS = 3_000;

  /** The approximate memory that may be used, in characters. */
  public static final long MAX_WEIGHT = 16_000_000;

  /** The maximum number of hosts in an entry. Hosts with fewer bytes would never be requested. */
  public static final int MAX_HOSTS = 100;

  /** The most missing paths kept for an entry. */
  static final int MAX_MISSING = 3;

  private static final long ENTRY_WEIGHT = 200;
  private static final long PATH_WEIGHT = 200;
  private static final long HOST_WEIGHT = 100;

  private static final Logger LOG = LoggerFactory.getLogger(LocationCache.class);
  private static final LocationResult PENDING = new LocationResult.Pending();

  /** A name as one user sees it. */
  record Key(String user, List<String> paths) {}

  /** An answer and its time; located is null before the first. */
  private record Answer(@Nullable LocationResult located, long atMillis) {}

  private static final class Entry {
    private volatile Answer answer = new Answer(null, 0);
    private boolean lookingUp;
    private long weight;
  }

  private final LocationLookup lookup;
  private final FairExecutor fairExecutor;
  private final LongSupplier clock;
  private final AskMetrics metrics;
  private final long maxWeight;
  private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long weight;
  private final LookupCircuitBreaker circuitBreaker = new LookupCircuitBreaker();

  public LocationCache(
      LocationLookup lookup,
      Executor executor,
      LongSupplier clock,
      AskMetrics metrics,
      long maxWeight) {
    this.lookup = lookup;
    this.fairExecutor = new FairExecutor(executor);
    this.clock = clock;
    this.metrics = metrics;
    this.maxWeight = maxWeight;
  }

  /** Stops further lookups. Those in progress continue. */
  public void close() {
    fairExecutor.close();
  }

  /** Where the files of a name are, as far as is known now. */
  public LocationResult locate(String user, FilesResourceName name) {
    Key key = new Key(user, name.paths());
    Entry entry;
    boolean startLookup;
    synchronized (entries) {
      entry = entries.computeIfAbsent(key, absent -> new Entry());
      if (entry.weight == 0) {
        weigh(key, entry);
      }
      startLookup = !entry.lookingUp && !isFresh(entry.answer);
      entry.lookingUp |= startLookup;
    }
    if (startLookup) {
      startLookup(key, entry);
    }
    return usable(entry.answer);
  }

  /** Whether lookups for the user have had no answer for that long, or failed repeatedly. */
  public boolean stalled(String user, long millis) {
    return circuitBreaker.isStalled(user, millis, clock.getAsLong());
  }

  public int size() {
    synchronized (entries) {
      return entries.size();
    }
  }

  private boolean isFresh(Answer answer) {
    if (answer.located() == null) {
      return false;
    }
    long age = clock.getAsLong() - answer.atMillis();
    // Missing or expected files may exist by now.
    boolean settled =
        answer.located() instanceof LocationResult.Found found
            && found.missing().isEmpty()
            && !found.expected();
    return age < (settled ? FRESH_MILLIS : FAILURE_MILLIS);
  }

  private LocationResult usable(Answer answer) {
    LocationResult located = answer.located();
    if (located == null) {
      return PENDING;
    }
    long age = clock.getAsLong() - answer.atMillis();
    return age < (located instanceof LocationResult.Found ? USABLE_MILLIS : FAILURE_MILLIS)
        ? located
        : PENDING;
  }

  private void startLookup(Key key, Entry entry) {
    fairExecutor.execute(
        key.user(), () -> finish(key, entry, lookUp(key)), () -> refuse(key, entry));
  }

  private void refuse(Key key, Entry entry) {
    metrics.count(AskMetrics.Event.LOOKUPS_REFUSED);
    finish(key, entry, new LocationResult.Unknown(LocationResult.Why.TOO_MANY));
  }

  private void finish(Key key, Entry entry, LocationResult located) {
    synchronized (entries) {
      entry.answer = new Answer(located, clock.getAsLong());
      entry.lookingUp = false;
      weigh(key, entry);
    }
  }

  /** Updates the weight of an entry and evicts others if needed. The caller holds the lock. */
  private void weigh(Key key, Entry entry) {
    if (!Objects.equals(entries.get(key), entry)) {
      return;
    }
    long now =
        ENTRY_WEIGHT + key.paths().stream().mapToLong(path -> path.length() + PATH_WEIGHT).sum();
    if (entry.answer.located() instanceof LocationResult.Found found) {
      now += (found.bytesByHost().size() + found.cachedByHost().size()) * HOST_WEIGHT;
    }
    weight += now - entry.weight;
    entry.weight = now;
    Iterator<Entry> eldest = entries.values().iterator();
    while (weight > maxWeight && eldest.hasNext()) {
      weight -= eldest.next().weight;
      eldest.remove();
    }
  }

  private static LocationResult.Why why(Throwable error) {
    if (error instanceof BadPatternException) {
      return LocationResult.Why.BAD_PATTERN;
    }
    return error instanceof FileNotFoundException
            || error instanceof AccessControlException
            || error instanceof SecurityException
        ? LocationResult.Why.NOT_THERE
        : LocationResult.Why.NO_ANSWER;
  }

  private static LocationResult bounded(LocationResult.Found found) {
    Map<String, Long> bytes = mostBytes(found.bytesByHost());
    Map<String, Long> cached = new HashMap<>(found.cachedByHost());
    cached.keySet().retainAll(bytes.keySet());
    return new LocationResult.Found(
        bytes, cached, found.missing().stream().limit(MAX_MISSING).toList(), found.expected());
  }

  private static Map<String, Long> mostBytes(Map<String, Long> bytesByHost) {
    if (bytesByHost.size() <= MAX_HOSTS) {
      return bytesByHost;
    }
    return bytesByHost.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MAX_HOSTS)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private LocationResult lookUp(Key key) {
    long begun = clock.getAsLong();
    if (!circuitBreaker.permits(key.user(), begun)) {
      metrics.count(AskMetrics.Event.LOOKUPS_REFUSED);
      return new LocationResult.Unknown(LocationResult.Why.NO_ANSWER);
    }
    circuitBreaker.began(key.user(), begun);
    Throwable failure = null;
    try {
      LocationResult found = bounded(lookup.locate(key.user(), key.paths()));
      metrics.count(AskMetrics.Event.LOOKUPS_DONE);
      return found;
    } catch (Exception | Error e) {
      // An Error that leaves this thread would end the ResourceManager.
      failure = e;
      metrics.count(AskMetrics.Event.LOOKUPS_FAILED);
      LOG.debug("Cannot locate {} for {}", key.paths(), key.user(), e);
      return new LocationResult.Unknown(why(e));
    } finally {
      circuitBreaker.ended(key.user(), begun, failure, clock.getAsLong());
    }
  }
}
