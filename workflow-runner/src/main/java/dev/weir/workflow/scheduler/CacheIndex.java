package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes keep of the files of a run beside HDFS, as far as their workers have told. It says
 * where a task has less to fetch, and never that a file is there: a content may be gone by the time
 * that a task comes for it. Of very many contents the ones that were told first are forgotten. Not
 * thread-safe.
 */
final class CacheIndex {

  /** With their names some tens of megabytes. */
  static final int MOST = 100_000;

  private final int most;

  /** Bytes of each, in the order in which they were told. */
  private final Map<NodeFile, Long> all = new LinkedHashMap<>();

  private final Map<String, Map<String, Long>> byFile = new HashMap<>();
  private final Map<String, Set<String>> byNode = new HashMap<>();

  /**
   * Nothing is known.
   *
   * @param most how many contents are remembered, of all nodes together
   */
  CacheIndex(int most) {
    this.most = most;
  }

  /**
   * A node keeps a file, with so many bytes.
   *
   * @return whether that was not known
   */
  boolean keep(String node, String file, long bytes) {
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
      drop(oldest.node(), oldest.file());
    }
    return true;
  }

  /**
   * A node does not keep a file any more; one that it never kept is no error.
   *
   * @return whether it was known to keep it
   */
  boolean drop(String node, String file) {
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
   * A node has nobody any more who could say what it keeps.
   *
   * @return the files that it kept
   */
  Set<String> forgetNode(String node) {
    Set<String> files = Set.copyOf(byNode.getOrDefault(node, Set.of()));
    files.forEach(file -> drop(node, file));
    return files;
  }

  /** What is kept of a file is not its content any more. */
  void forgetFile(String file) {
    for (String node : Set.copyOf(nodes(file).keySet())) {
      drop(node, file);
    }
  }

  /** The nodes that keep a file, each with how many bytes. */
  Map<String, Long> nodes(String file) {
    return byFile.getOrDefault(file, Map.of());
  }

  /**
   * Where a task that reads all of a file has it near.
   *
   * @param hosts that hold some of it in HDFS, each with how many bytes
   * @return with those that keep it; a host is listed once, with what it has more of
   */
  Map<String, Long> with(Map<String, Long> hosts, String file) {
    Map<String, Long> nodes = byFile.get(file);
    if (nodes == null) {
      return hosts;
    }
    Map<String, Long> both = new HashMap<>(hosts);
    nodes.forEach((node, bytes) -> both.merge(node, bytes, Math::max));
    return both;
  }
}
