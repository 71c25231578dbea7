package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The files in the stores of nodes, by node. HDFS may have copies. Not thread-safe. */
final class NodeFiles {

  /** How long a node may have no worker before its files count as lost: a new one may come. */
  static final long GRACE_MILLIS = 10_000;

  private final Map<FileState, String> nodes = new HashMap<>();
  private final Map<String, Set<FileState>> byNode = new HashMap<>();

  /** Since when nodes with files have had no worker, in milliseconds since the epoch. */
  private final Map<String, Long> withoutWorker = new HashMap<>();

  /** Updates the index after a file has changed. */
  void changed(FileState file) {
    String node = nodes.remove(file);
    if (node != null) {
      byNode.computeIfPresent(
          node,
          (name, files) -> {
            files.remove(file);
            return files.isEmpty() ? null : files;
          });
    }
    if (file.isOnNode() && !file.isReleased()) {
      String now = file.hosts().iterator().next();
      nodes.put(file, now);
      byNode.computeIfAbsent(now, name -> new LinkedHashSet<>()).add(file);
    }
  }

  /** All files. */
  Set<FileState> all() {
    return Collections.unmodifiableSet(nodes.keySet());
  }

  /** The nodes that have files. */
  List<String> nodes() {
    return List.copyOf(byNode.keySet());
  }

  /** The files of a node. */
  Set<FileState> on(String node) {
    return Collections.unmodifiableSet(byNode.getOrDefault(node, Set.of()));
  }

  /** The files of a graph. */
  List<FileState> of(WorkflowState graph) {
    return nodes.keySet().stream().filter(file -> isOf(file, graph)).toList();
  }

  private static boolean isOf(FileState file, WorkflowState graph) {
    TaskState producer = file.producer();
    return producer != null && producer.graph() == graph;
  }

  /** Removes the files of a graph. */
  void forget(WorkflowState graph) {
    for (FileState file : of(graph)) {
      file.release();
      changed(file);
    }
  }

  /** Whether HDFS lacks files of a node. */
  boolean isOnlyPlaceOfSome(String node) {
    return on(node).stream().anyMatch(FileState::isOnlyOnNode);
  }

  /**
   * Returns the files of nodes that have had no worker for a while.
   *
   * @param now milliseconds since the epoch
   */
  List<FileState> lost(WorkerSet workers, long now) {
    List<FileState> lost = new ArrayList<>();
    withoutWorker
        .keySet()
        .removeIf(node -> workers.workersOn(node) > 0 || !byNode.containsKey(node));
    for (String node : List.copyOf(byNode.keySet())) {
      if (workers.workersOn(node) == 0
          && now - withoutWorker.computeIfAbsent(node, name -> now) >= GRACE_MILLIS) {
        lost.addAll(byNode.getOrDefault(node, Set.of()));
      }
    }
    return lost;
  }
}
