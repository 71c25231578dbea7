package dev.weir.service.reconcile;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.SetInfo;
import dev.weir.service.access.CacheCapacity;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the NameNode cache what hints ask for: the file of a rule for one file, the files directly in
 * the directory of a rule that ends with {@code /*} or {@code /**}, and the files that any other
 * pattern matches, up to a limit. Not thread-safe.
 */
final class CachedPaths {
  private static final Logger LOG = LoggerFactory.getLogger(CachedPaths.class);

  /** The number of paths that are visited per file that may match. */
  private static final int LOOKED_AT = 100;

  private final Namespace namespace;
  private final PathFailures refusals;
  private final ReconcilerMetrics counters;
  private final int most;

  /** The requests of the sets, by set and version. */
  private Map<SetInfo, CacheRequest> requests = Map.of();

  /** The paths that are cached on behalf of hints. */
  private Set<String> present = Set.of();

  private boolean lookAgain = true;

  /**
   * Creates an empty state.
   *
   * @param most the most files that the patterns of one set may have cached
   */
  CachedPaths(Namespace namespace, PathFailures refusals, ReconcilerMetrics counters, int most) {
    this.namespace = namespace;
    this.refusals = refusals;
    this.counters = counters;
    this.most = most;
  }

  /** Discards all state, because edits are missing. */
  void startAfresh() {
    requests = Map.of();
    lookAgain = true;
  }

  /** Returns whether the files must be listed again to know the outcome of an edit. */
  boolean isToLookAgain() {
    return lookAgain;
  }

  /** Makes the cache directives match the rules. Cheap while the rules stay the same. */
  void reconcile(HintIndex index) throws IOException {
    Map<SetInfo, CacheRequest> next = new HashMap<>();
    for (SetInfo set : index.sets()) {
      CacheRequest known = requests.get(set);
      next.put(set, known == null ? search(CacheRequest.of(index.rules(set.id()))) : known);
    }
    if (lookAgain || !union(next.values()).equals(union(requests.values()))) {
      present = new TreeSet<>(namespace.cached());
      Set<String> wanted = union(next.values());
      drop(present.stream().filter(path -> !wanted.contains(path)).toList());
      for (String path : new TreeSet<>(wanted)) {
        add(path);
      }
    }
    requests = next;
    lookAgain = false;
    seeToMemory();
  }

  /** A file was completed or renamed to this path. */
  void came(String path) throws IOException {
    for (CacheRequest request : requests.values()) {
      if (request.isFor(path) && take(request, path)) {
        add(path);
      }
    }
  }

  /** A file, or all files below a directory, left this path. */
  void went(String path) throws IOException {
    Set<String> gone = new TreeSet<>();
    for (CacheRequest request : requests.values()) {
      gone.addAll(request.takeAtOrBelow(path));
    }
    if (!gone.isEmpty()) {
      Set<String> wanted = union(requests.values());
      drop(gone.stream().filter(one -> present.contains(one) && !wanted.contains(one)).toList());
    }
  }

  /** All files at or below a path moved to another. */
  void renamed(String from, String to) throws IOException {
    went(from);
    went(to);
    boolean concerned = requests.values().stream().anyMatch(request -> request.mayBeBelow(to));
    if (concerned && isDirectory(to)) {
      Map<SetInfo, CacheRequest> others = new HashMap<>(requests);
      others.values().removeIf(request -> request.mayBeBelow(to));
      requests = others;
      lookAgain = true;
    } else if (concerned) {
      came(to);
    }
  }

  /** Logs a warning if no DataNode has memory for the cache. */
  void seeToMemory() throws IOException {
    boolean wanted = requests.values().stream().anyMatch(request -> !request.isEmpty());
    boolean before = counters.cachedInVain.value() > 0;
    boolean inVain = wanted && namespace.cacheCapacity() == 0;
    counters.cachedInVain.set(inVain ? Math.max(1, present.size()) : 0);
    if (inVain && !before) {
      LOG.warn("Nothing is cached: {}", CacheCapacity.NONE);
    }
  }

  private boolean isDirectory(String path) throws IOException {
    Optional<PathInfo> found = namespace.find(path);
    return found.isPresent() && found.get().directory();
  }

  /** Lists the files of the patterns. */
  private CacheRequest search(CacheRequest request) throws IOException {
    for (String prefix : request.prefixes()) {
      int[] left = {(int) Math.min(Integer.MAX_VALUE, (long) most * LOOKED_AT)};
      namespace.walk(
          prefix,
          false,
          facts -> {
            left[0]--;
            boolean full =
                !facts.directory() && request.isFor(facts.path()) && !take(request, facts.path());
            return !full && left[0] > 0 && !Thread.currentThread().isInterrupted();
          });
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      if (left[0] <= 0) {
        counters.cacheLeftOut.incr();
        refusals.say("not all files of a pattern below " + prefix + " were visited for caching");
      }
    }
    return request;
  }

  /** Adds the file to the request, within the limit. */
  private boolean take(CacheRequest request, String path) {
    if (request.take(path, most)) {
      return true;
    }
    counters.cacheLeftOut.incr();
    refusals.say("caching of " + path + ": its set has " + most + " files cached by patterns");
    return false;
  }

  private void add(String path) throws IOException {
    if (!present.contains(path)) {
      try {
        namespace.cache(path);
        present.add(path);
      } catch (RefusedException e) {
        refusals.note(e);
      }
    }
  }

  private void drop(Collection<String> paths) throws IOException {
    List<String> gone = new ArrayList<>(paths);
    namespace.uncache(gone);
    gone.forEach(present::remove);
  }

  private static Set<String> union(Collection<CacheRequest> requests) {
    Set<String> all = new HashSet<>();
    requests.forEach(request -> request.addTo(all));
    return all;
  }
}
