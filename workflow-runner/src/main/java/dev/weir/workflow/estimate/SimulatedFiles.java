package dev.weir.workflow.estimate;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.staging.Mode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the files of a simulated run are, in HDFS and in caches. Not thread-safe. */
final class SimulatedFiles {

  /** Smaller files stay in a cache only if very many tasks read them. */
  private static final long LEAST_CACHED = 64 << 10;

  /** An output from this size on stays in its node's cache if other tasks read it. */
  private static final long LEAST_KEPT = 1 << 20;

  private final WorkflowGraph graph;
  private final EstimateCluster cluster;
  private final boolean hasCaches;

  /** Bytes of each file in HDFS, by node. */
  private final Map<String, Map<String, Long>> stored = new HashMap<>();

  private final Map<String, Set<String>> cached = new HashMap<>();

  SimulatedFiles(WorkflowGraph graph, EstimateCluster cluster, Mode mode) {
    this.graph = graph;
    this.cluster = cluster;
    this.hasCaches = mode != Mode.STOCK;
  }

  /** Stores an input of the workflow. Its blocks are spread evenly if it has several. */
  StoredFile putInput(DataFile file, List<String> nodes) {
    long size = file.sizeBytes();
    if (size <= cluster.storage().blockBytes()) {
      return put(file.id(), nodes);
    }
    long share = Math.min(size, size / cluster.nodes().size() * cluster.replicas(nodes.size()));
    Map<String, Long> places = new LinkedHashMap<>();
    cluster.nodes().forEach(node -> places.put(node, share));
    stored.put(file.id(), places);
    return new StoredFile(file.id(), size, places);
  }

  /** Stores a whole file on nodes. */
  StoredFile put(String file, List<String> nodes) {
    long size = graph.file(file).sizeBytes();
    Map<String, Long> places = new LinkedHashMap<>();
    nodes.forEach(node -> places.put(node, size));
    stored.put(file, places);
    return new StoredFile(file, size, places);
  }

  void put(StoredFile file) {
    if (!file.bytesByHost().isEmpty()) {
      stored.put(file.name(), file.bytesByHost());
    }
  }

  /** Adds a replica to a file. */
  void add(String file, String node) {
    Map<String, Long> places = new LinkedHashMap<>(stored.getOrDefault(file, Map.of()));
    places.put(node, graph.file(file).sizeBytes());
    stored.put(file, places);
  }

  boolean isShared(String file) {
    return hasCaches
        && graph.file(file).sizeBytes() >= LEAST_CACHED
        && graph.consumers(file).size() > 1;
  }

  boolean keepsOutput(String file) {
    return hasCaches
        && graph.file(file).sizeBytes() >= LEAST_KEPT
        && !graph.consumers(file).isEmpty();
  }

  void cache(String file, String node) {
    cached.computeIfAbsent(file, f -> new LinkedHashSet<>()).add(node);
  }

  boolean isCached(String file, String node) {
    return cached.getOrDefault(file, Set.of()).contains(node);
  }

  /** How many of the bytes that a task reads of a file are on a node. */
  long bytesOn(String node, Task task, String file) {
    long wanted = graph.bytesRead(task, file);
    if (isCached(file, node)) {
      return wanted;
    }
    long there = stored.getOrDefault(file, Map.of()).getOrDefault(node, 0L);
    long size = graph.file(file).sizeBytes();
    return size == 0 ? 0 : Math.round((double) wanted * Math.min(there, size) / size);
  }

  /** The node from which a reader gets a file: the one that sends to fewest others now. */
  String source(String file, String reader, SharedLinks links) {
    Set<String> holders = new LinkedHashSet<>(stored.getOrDefault(file, Map.of()).keySet());
    holders.addAll(cached.getOrDefault(file, Set.of()));
    holders.remove(reader);
    return holders.stream()
        .min(Comparator.comparingInt(links::sentBy))
        .orElseGet(() -> cluster.nodes().get(0));
  }
}
