package dev.weir.workflow.scheduler.state;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files that are in the caches of nodes, as reported by workers. The index shows where a task has
 * less to fetch; it does not promise that a file is there, since a cache may evict it at any time.
 * Beyond a maximum, the oldest entries are removed. Not thread-safe.
 */
public final class CacheIndex {

  /** With their names, some tens of megabytes. */
  public static final int MOST = 100_000;

  private record NodeFile(String node, String file) {}

  private final int most;

  /** Bytes of each entry, in the order of the reports. */
  private final Map<NodeFile, Long> all = new LinkedHashMap<>();

  private final Map<String, Map<String, Long>> byFile = new HashMap<>();
  private final Map<String, Set<String>> byNode = new HashMap<>();

  /**
   * An empty index.
   *
   * @param most maximum number of entries, of all nodes together
   */
  public CacheIndex(int most) {
    this.most = most;
  }

  /**
   * Adds a file that a node caches.
   *
   * @return whether the entry is new or has changed
   */
  public boolean add(String node, String file, long bytes) {
    if (bytes <= 0) {
      return false;
    }
    NodeFile kept = new NodeFile(node, file);
    Long before = all.put(kept, bytes);
    if (before != null && before == bytes) {
      return false;
    }
    byFile.computeIfAbsent(file, id -> new LinkedHashMap<>()).put(node, bytes);
    byNode.computeIfAbsent(node, name -> new LinkedHashSet<>()).add(file);
    if (all.size() > most) {
      NodeFile oldest = all.keySet().iterator().next();
      remove(oldest.node(), oldest.file());
    }
    return true;
  }

  /**
   * Removes an entry; a missing one is ignored.
   *
   * @return whether there was one
   */
  public boolean remove(String node, String file) {
    if (all.remove(new NodeFile(node, file)) == null) {
      return false;
    }
    byFile.computeIfPresent(file, (id, nodes) -> without(nodes, node));
    byNode.computeIfPresent(
        node,
        (name, files) -> {
          files.remove(file);
          return files.isEmpty() ? null : files;
        });
    return true;
  }

  private static @Nullable Map<String, Long> without(Map<String, Long> nodes, String node) {
    nodes.remove(node);
    return nodes.isEmpty() ? null : nodes;
  }

  /**
   * Removes a node, which has no worker to report its cache.
   *
   * @return the files that it cached
   */
  public Set<String> forgetNode(String node) {
    Set<String> files = Set.copyOf(byNode.getOrDefault(node, Set.of()));
    files.forEach(file -> remove(node, file));
    return files;
  }

  /** Removes all entries of a file, because its content has changed. */
  public void forgetFile(String file) {
    for (String node : Set.copyOf(nodes(file).keySet())) {
      remove(node, file);
    }
  }

  /** The nodes that cache a file, each with the bytes. */
  public Map<String, Long> nodes(String file) {
    return byFile.getOrDefault(file, Map.of());
  }

  /**
   * Adds the nodes that cache a file to its hosts.
   *
   * @param hosts hosts that have some of it in HDFS, each with the bytes
   * @return both; a host in both has the greater number
   */
  public Map<String, Long> merged(Map<String, Long> hosts, String file) {
    Map<String, Long> nodes = byFile.get(file);
    if (nodes == null) {
      return hosts;
    }
    Map<String, Long> both = new HashMap<>(hosts);
    nodes.forEach((node, bytes) -> both.merge(node, bytes, Math::max));
    return both;
  }
}
