package dev.weir.service.reconcile;

import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.SetInfo;
import dev.weir.service.access.CacheCapacity;
import java.io.IOException;
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
 * Lets the NameNode cache the files that hints ask for: the file of a rule for one file, the files
 * directly in the directory of a rule that ends with {@code /*} or {@code /**}, and the files that
 * any other pattern matches, up to a limit. Not thread-safe.
 */
final class CachedPaths {
  private static final Logger LOG = LoggerFactory.getLogger(CachedPaths.class);

  /** The number of paths that are visited per file that may match. */
  private static final int VISITS_PER_FILE = 100;

  private final Namespace namespace;
  private final PathFailures failures;
  private final ReconcilerMetrics counters;
  private final int maxFiles;

  private Map<SetInfo, CacheRequest> requests = Map.of();

  private Set<String> cached = Set.of();

  private boolean relist = true;

  /**
   * Creates an empty state.
   *
   * @param maxFiles the most files that the patterns of one set may have cached
   */
  CachedPaths(
      Namespace namespace, PathFailures failures, ReconcilerMetrics counters, int maxFiles) {
    this.namespace = namespace;
    this.failures = failures;
    this.counters = counters;
    this.maxFiles = maxFiles;
  }

  /** Discards all state, because edits are missing. */
  void reset() {
    requests = Map.of();
    relist = true;
  }

  /** Returns whether the files of the patterns must be listed again. */
  boolean mustRelist() {
    return relist;
  }

  /** Makes the cache directives match the rules. Cheap while the rules stay the same. */
  void reconcile(HintIndex index) throws IOException {
    Map<SetInfo, CacheRequest> next = new HashMap<>();
    for (SetInfo set : index.sets()) {
      CacheRequest known = requests.get(set);
      next.put(set, known == null ? search(CacheRequest.of(index.rules(set.id()))) : known);
    }
    if (relist || !union(next.values()).equals(union(requests.values()))) {
      cached = new TreeSet<>(namespace.cached());
      Set<String> requested = union(next.values());
      drop(cached.stream().filter(path -> !requested.contains(path)).toList());
      for (String path : new TreeSet<>(requested)) {
        add(path);
      }
    }
    requests = next;
    relist = false;
    checkCapacity();
  }

  /** Handles a file that was completed or renamed to this path. */
  void added(String path) throws IOException {
    for (CacheRequest request : requests.values()) {
      if (request.matches(path) && addWithinLimit(request, path)) {
        add(path);
      }
    }
  }

  /** Handles the removal of a file, or of all files below a directory. */
  void removed(String path) throws IOException {
    Set<String> uncached = new TreeSet<>();
    for (CacheRequest request : requests.values()) {
      uncached.addAll(request.removeAtOrBelow(path));
    }
    if (!uncached.isEmpty()) {
      Set<String> requested = union(requests.values());
      drop(
          uncached.stream()
              .filter(one -> cached.contains(one) && !requested.contains(one))
              .toList());
    }
  }

  /** Handles a rename of a file, or of a directory with all files below it. */
  void renamed(String from, String to) throws IOException {
    removed(from);
    removed(to);
    boolean concerned = requests.values().stream().anyMatch(request -> request.mayMatchBelow(to));
    if (concerned && isDirectory(to)) {
      Map<SetInfo, CacheRequest> others = new HashMap<>(requests);
      others.values().removeIf(request -> request.mayMatchBelow(to));
      requests = others;
      relist = true;
    } else if (concerned) {
      added(to);
    }
  }

  /** Logs a warning if no DataNode has memory for the cache. */
  void checkCapacity() throws IOException {
    boolean requested = requests.values().stream().anyMatch(request -> !request.isEmpty());
    boolean warned = counters.cachedInVain.value() > 0;
    boolean inVain = requested && namespace.cacheCapacity() == 0;
    counters.cachedInVain.set(inVain ? Math.max(1, cached.size()) : 0);
    if (inVain && !warned) {
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
      int[] left = {(int) Math.min(Integer.MAX_VALUE, (long) maxFiles * VISITS_PER_FILE)};
      namespace.walk(
          prefix,
          false,
          info -> {
            left[0]--;
            boolean full =
                !info.directory()
                    && request.matches(info.path())
                    && !addWithinLimit(request, info.path());
            return !full && left[0] > 0;
          });
      if (left[0] <= 0) {
        counters.cacheLeftOut.incr();
        failures.log("not all files of a pattern below " + prefix + " were visited for caching");
      }
    }
    return request;
  }

  private boolean addWithinLimit(CacheRequest request, String path) {
    if (request.add(path, maxFiles)) {
      return true;
    }
    counters.cacheLeftOut.incr();
    failures.log("caching of " + path + ": its set has " + maxFiles + " files cached by patterns");
    return false;
  }

  private void add(String path) throws IOException {
    if (!cached.contains(path)) {
      try {
        namespace.cache(path);
        cached.add(path);
      } catch (RefusedException e) {
        failures.refused(e);
      }
    }
  }

  private void drop(Collection<String> paths) throws IOException {
    List<String> uncached = new ArrayList<>(paths);
    namespace.uncache(uncached);
    uncached.forEach(cached::remove);
  }

  private static Set<String> union(Collection<CacheRequest> requests) {
    Set<String> all = new HashSet<>();
    requests.forEach(request -> request.addTo(all));
    return all;
  }
}
