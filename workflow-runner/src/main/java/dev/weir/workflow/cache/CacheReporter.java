package dev.weir.workflow.cache;

import dev.weir.workflow.protocol.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports this node's cached contents to the ApplicationMaster, which then schedules tasks near
 * them. Small contents are not reported. Other workers of the node evict contents too, so reported
 * contents are checked periodically. Thread-safe.
 */
public final class CacheReporter {

  private static final Logger LOG = LoggerFactory.getLogger(CacheReporter.class);

  /** The least size of a reported content: smaller ones are fetched faster than reported. */
  static final long LEAST_BYTES = 1 << 20;

  /** The number of tracked contents; beyond it the oldest are reported as gone. */
  static final int MOST = 4_096;

  /** The contents of a cache. Thread-safe. */
  interface Kept {

    /** Whether the cache has a content now. */
    boolean keeps(CacheKey key);

    /** Returns the digests of all cached contents. */
    Set<String> all() throws IOException;
  }

  private final Kept cache;
  private final int most;
  private final Map<CacheKey, String> tracked = new LinkedHashMap<>();
  private final Map<CacheKey, String> made = new LinkedHashMap<>();
  private Map<CacheKey, String> madeBefore = Map.of();
  private Consumer<Message> master = message -> {};

  /**
   * Creates a reporter without contents.
   *
   * @param most the number of tracked contents
   */
  public CacheReporter(Kept cache, int most) {
    this.cache = cache;
    this.most = most;
  }

  /** Sets the receiver of reports; called before the first content. */
  public synchronized void connect(Consumer<Message> connection) {
    master = connection;
  }

  /** A content of {@link #LEAST_BYTES} or more was read, from the cache or past it. */
  void brought(CacheKey key, String path) {
    if (isTracked(key) || !cache.keeps(key)) {
      return;
    }
    synchronized (this) {
      if (tracked.putIfAbsent(key, path) == null) {
        master.accept(new Message.CacheNews(Map.of(path, key.length()), tooMany()));
      }
    }
  }

  /**
   * An output was cached whose task is about to report its end. With that report the
   * ApplicationMaster forgets earlier cache locations of the file, so this one is reported in the
   * round after the next.
   */
  synchronized void made(CacheKey key, String path) {
    made.put(key, path);
  }

  private synchronized Map<CacheKey, String> reported() {
    Map<CacheKey, String> reported = madeBefore;
    madeBefore = Map.copyOf(made);
    made.clear();
    return reported;
  }

  /** Reports all contents again, because the ApplicationMaster has changed. */
  synchronized void reportAll() {
    if (!tracked.isEmpty()) {
      Map<String, Long> kept = new HashMap<>();
      tracked.forEach((key, path) -> kept.put(path, key.length()));
      master.accept(new Message.CacheNews(kept, List.of()));
    }
  }

  private synchronized boolean isTracked(CacheKey key) {
    return tracked.containsKey(key);
  }

  private List<String> tooMany() {
    if (tracked.size() <= most) {
      return List.of();
    }
    var first = tracked.entrySet().iterator();
    String path = first.next().getValue();
    first.remove();
    return List.of(path);
  }

  /**
   * Checks that reported contents still exist, and reports changes; called periodically. No lock is
   * held during disk access.
   */
  public void report() {
    reported().forEach(this::brought);
    List<CacheKey> asked = allTold();
    if (asked.isEmpty()) {
      return;
    }
    Set<String> all;
    try {
      all = cache.all();
    } catch (IOException e) {
      LOG.debug("Cannot list the cache of this node", e);
      return;
    }
    // A content that was evicted and cached again during the listing may be missing in it.
    List<CacheKey> lost =
        asked.stream().filter(key -> !all.contains(key.digest()) && !cache.keeps(key)).toList();
    if (!lost.isEmpty()) {
      forget(lost);
    }
  }

  private synchronized List<CacheKey> allTold() {
    return List.copyOf(tracked.keySet());
  }

  private synchronized void forget(List<CacheKey> lost) {
    List<String> gone = new ArrayList<>();
    for (CacheKey key : lost) {
      String path = tracked.remove(key);
      if (path != null) {
        gone.add(path);
      }
    }
    // The path may have got another content.
    gone.removeIf(tracked::containsValue);
    if (!gone.isEmpty()) {
      master.accept(new Message.CacheNews(Map.of(), gone));
    }
  }
}
