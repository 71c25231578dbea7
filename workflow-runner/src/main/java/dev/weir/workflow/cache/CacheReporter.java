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
 * Tells the ApplicationMaster which contents the cache of this node keeps, so that tasks come to
 * where their inputs are. Small ones are worth no way and no message. Other workers of the node
 * drop contents, too: what was told of is looked after. Thread-safe.
 */
public final class CacheReporter {

  private static final Logger LOG = LoggerFactory.getLogger(CacheReporter.class);

  /** What a node has to keep to be worth going there: less is fetched sooner than said. */
  static final long LEAST_BYTES = 1 << 20;

  /** So many contents are looked after; of more the first are as good as gone. */
  static final int MOST = 4_096;

  /** What a cache keeps. All threads may ask. */
  interface Kept {

    /** Whether a content would be found now. */
    boolean keeps(CacheKey key);

    /**
     * Digests of all that would be found now.
     *
     * @throws IOException when the disk does not tell
     */
    Set<String> all() throws IOException;
  }

  private final Kept cache;
  private final int most;
  private final Map<CacheKey, String> told = new LinkedHashMap<>();
  private final Map<CacheKey, String> made = new LinkedHashMap<>();
  private Map<CacheKey, String> madeBefore = Map.of();
  private Consumer<Message> master = message -> {};

  /**
   * Nothing is told yet.
   *
   * @param most how many contents are looked after
   */
  public CacheReporter(Kept cache, int most) {
    this.cache = cache;
    this.most = most;
  }

  /** Says who is told; comes before any content. */
  public synchronized void tell(Consumer<Message> connection) {
    master = connection;
  }

  /** A content of {@link #LEAST_BYTES} or more was brought from the cache, or past it. */
  void brought(CacheKey key, String path) {
    if (isTold(key) || !cache.keeps(key)) {
      return;
    }
    synchronized (this) {
      if (told.putIfAbsent(key, path) == null) {
        master.accept(new Message.CacheNews(Map.of(path, key.length()), tooMany()));
      }
    }
  }

  /**
   * An output was kept whose task is about to report that it has made it. With that report the
   * ApplicationMaster forgets what it knew of caches that have the file, so it is told at the look
   * after the next.
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

  /** Tells all of it: there is somebody else to be told. */
  synchronized void tellAgain() {
    if (!told.isEmpty()) {
      Map<String, Long> kept = new HashMap<>();
      told.forEach((key, path) -> kept.put(path, key.length()));
      master.accept(new Message.CacheNews(kept, List.of()));
    }
  }

  private synchronized boolean isTold(CacheKey key) {
    return told.containsKey(key);
  }

  private List<String> tooMany() {
    if (told.size() <= most) {
      return List.of();
    }
    var first = told.entrySet().iterator();
    String path = first.next().getValue();
    first.remove();
    return List.of(path);
  }

  /**
   * Looks whether all that was told of is still there; to be called now and then. Nobody waits for
   * the disk meanwhile.
   */
  public void look() {
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
    // What was dropped and came back while it was listed may be missing there.
    List<CacheKey> lost =
        asked.stream().filter(key -> !all.contains(key.digest()) && !cache.keeps(key)).toList();
    if (!lost.isEmpty()) {
      forget(lost);
    }
  }

  private synchronized List<CacheKey> allTold() {
    return List.copyOf(told.keySet());
  }

  private synchronized void forget(List<CacheKey> lost) {
    List<String> gone = new ArrayList<>();
    for (CacheKey key : lost) {
      String path = told.remove(key);
      if (path != null) {
        gone.add(path);
      }
    }
    // The same path may have come back with another content.
    gone.removeIf(told::containsValue);
    if (!gone.isEmpty()) {
      master.accept(new Message.CacheNews(Map.of(), gone));
    }
  }
}
