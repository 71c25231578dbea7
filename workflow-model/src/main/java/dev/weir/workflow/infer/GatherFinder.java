package dev.weir.workflow.infer;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which tasks gather files of many producers, and which files they gather.
 *
 * <p>To collect files of p producers on one of n nodes moves (n-1)/n of their bytes, while they are
 * written; to leave them where they are and run the reader at one of them moves (p-1)/p, after the
 * last one is written. Once p is at least n the first moves no more, and from {@value #ENOUGH}
 * producers on it moves at most about a twentieth more, on any number of nodes.
 *
 * <p>So a task gathers the files of one type of producer when that many producers of the type feed
 * it, and the files gathered are at least half of the bytes that the workflow makes for it (or else
 * it had better run where the other half is). A file is gathered when all its readers, and they are
 * few, gather it. Readers that share a file share the group, so that all of them can be local.
 */
final class GatherFinder {

  /** With so many producers a task gathers on any number of nodes. */
  static final int ENOUGH = 20;

  /** Fewer producers than this make no gather, however small the cluster is. */
  static final int FEWEST = 3;

  /** A file with more readers than this is not gathered: they would queue up on one node. */
  static final int MOST_READERS = 3;

  private final WorkflowGraph graph;
  private final int enough;
  private final Map<String, Set<String>> gatheredTypes = new HashMap<>();
  private final Map<String, String> leaders = new HashMap<>();
  private final Map<String, String> groups = new LinkedHashMap<>();

  private GatherFinder(WorkflowGraph graph, int nodes) {
    this.graph = graph;
    this.enough = Math.max(FEWEST, Math.min(nodes, ENOUGH));
  }

  static GatherFinder of(WorkflowGraph graph, ClusterShape shape) {
    GatherFinder gathers = new GatherFinder(graph, shape.nodes());
    if (shape.nodes() > 1) {
      graph.workflow().tasks().forEach(gathers::findGatheredTypes);
      gathers.findGroups();
    }
    return gathers;
  }

  /** The group that a file is collected in, named after the first task that reads of it. */
  Optional<String> group(String fileId) {
    return Optional.ofNullable(groups.get(fileId));
  }

  private void findGatheredTypes(Task task) {
    Map<String, Set<String>> producersByType = new HashMap<>();
    Map<String, Long> bytesByType = new HashMap<>();
    long allBytes = 0;
    for (String input : task.inputs()) {
      Optional<Task> producer = graph.producer(input);
      if (producer.isPresent()) {
        long bytes = graph.file(input).sizeBytes();
        allBytes += bytes;
        String type = producer.get().type();
        producersByType.computeIfAbsent(type, k -> new HashSet<>()).add(producer.get().id());
        bytesByType.merge(type, bytes, Long::sum);
      }
    }
    if (task.joinsRegions()) {
      gatheredTypes.put(task.id(), Set.of()); // it moves no bytes, wherever they are
      return;
    }
    Set<String> types = new HashSet<>();
    for (Map.Entry<String, Set<String>> entry : producersByType.entrySet()) {
      boolean many = entry.getValue().size() >= enough;
      if (many && 2 * bytesByType.getOrDefault(entry.getKey(), 0L) >= allBytes) {
        types.add(entry.getKey());
      }
    }
    gatheredTypes.put(task.id(), types);
  }

  private void findGroups() {
    Map<String, String> firstReader = new LinkedHashMap<>();
    for (String file : graph.workflow().files().keySet()) {
      List<Task> readers = graph.consumers(file);
      if (isGathered(file, readers)) {
        String first = readers.get(0).id();
        firstReader.put(file, first);
        readers.forEach(reader -> join(first, reader.id()));
      }
    }
    firstReader.forEach((file, reader) -> groups.put(file, leader(reader)));
  }

  private boolean isGathered(String file, List<Task> readers) {
    Optional<Task> producer = graph.producer(file);
    return producer.isPresent()
        && !readers.isEmpty()
        && readers.size() <= MOST_READERS
        && readers.stream()
            .allMatch(
                reader ->
                    gatheredTypes
                        .getOrDefault(reader.id(), Set.of())
                        .contains(producer.get().type()));
  }

  private String leader(String task) {
    String at = task;
    for (String above = leaders.get(at); above != null; above = leaders.get(at)) {
      at = above;
    }
    return at;
  }

  private void join(String one, String other) {
    String first = leader(one);
    String second = leader(other);
    if (!first.equals(second)) {
      leaders.put(second, first);
    }
  }
}
