package dev.weir.workflow.scheduler.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The files in the stores of nodes, by node. HDFS may have copies. Not thread-safe. */
public final class NodeFiles {

  /** How long a node may have no worker before its files count as lost: a new one may come. */
  public static final long GRACE_MILLIS = 10_000;

  private final Map<FileState, Place> places = new HashMap<>();
  private final Map<String, Set<FileState>> byNode = new HashMap<>();
  private final Map<WorkflowState, Set<FileState>> byGraph = new HashMap<>();

  /** Since when nodes with files have had no worker, in milliseconds since the epoch. */
  private final Map<String, Long> withoutWorker = new HashMap<>();

  private record Place(String node, WorkflowState graph) {}

  /** Updates the index after a file has changed. */
  public void changed(FileState file) {
    Place before = places.remove(file);
    if (before != null) {
      remove(file, before.node(), byNode);
      remove(file, before.graph(), byGraph);
    }
    TaskState producer = file.producer();
    if (file.isOnNode() && !file.isReleased() && producer != null) {
      Place now = new Place(file.hosts().iterator().next(), producer.graph());
      places.put(file, now);
      byNode.computeIfAbsent(now.node(), node -> new LinkedHashSet<>()).add(file);
      byGraph.computeIfAbsent(now.graph(), graph -> new LinkedHashSet<>()).add(file);
    }
  }

  private static <K> void remove(FileState file, K key, Map<K, Set<FileState>> index) {
    index.computeIfPresent(
        key,
        (same, files) -> {
          files.remove(file);
          return files.isEmpty() ? null : files;
        });
  }

  public List<WorkflowState> graphs() {
    return List.copyOf(byGraph.keySet());
  }

  public List<String> nodes() {
    return List.copyOf(byNode.keySet());
  }

  public Set<FileState> on(String node) {
    return Collections.unmodifiableSet(byNode.getOrDefault(node, Set.of()));
  }

  public Set<FileState> of(WorkflowState graph) {
    return Collections.unmodifiableSet(byGraph.getOrDefault(graph, Set.of()));
  }

  /** Removes the files of a graph. */
  public void forget(WorkflowState graph) {
    for (FileState file : List.copyOf(of(graph))) {
      file.release();
      changed(file);
    }
  }

  /** Whether HDFS lacks files of a node. */
  public boolean isOnlyPlaceOfSome(String node) {
    return on(node).stream().anyMatch(FileState::isOnlyOnNode);
  }

  /** Returns the files of nodes that have had no worker for a while. */
  public List<FileState> lost(WorkerSet workers, long now) {
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
