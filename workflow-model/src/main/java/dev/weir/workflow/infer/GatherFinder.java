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
 * Finds the tasks that gather files of many producers, and the files that they gather.
 *
 * <p>Collecting the files of p producers on one of n nodes moves (n-1)/n of their bytes, while they
 * are written. Leaving them in place and running the reader on one of their nodes moves (p-1)/p,
 * after the last one is written. Once p is at least n, collecting moves no more bytes. From {@value
 * #ENOUGH} producers on, it moves at most about a twentieth more on any number of nodes.
 *
 * <p>So a task gathers the files of one type of producer under two conditions. At least that many
 * producers of the type feed it. The files are at least half of the intermediate bytes that it
 * reads; otherwise it should run where the other half is. A file is gathered if all its readers
 * gather it and there are few of them. Readers that share a file share the group, so that all of
 * them can be local.
 */
final class GatherFinder {

  /** From this number of producers on, a task gathers on any number of nodes. */
  static final int ENOUGH = 20;

  /** The fewest producers of a gather, however small the cluster is. */
  static final int MIN_PRODUCERS = 3;

  /** The most readers of a gathered file. More of them would queue on one node. */
  static final int MAX_READERS = 3;

  private final WorkflowGraph graph;
  private final int threshold;
  private final Map<String, Set<String>> gatheredTypes = new HashMap<>();
  private final Map<String, String> leaders = new HashMap<>();
  private final Map<String, String> groups = new LinkedHashMap<>();

  private GatherFinder(WorkflowGraph graph, int nodes) {
    this.graph = graph;
    this.threshold = Math.max(MIN_PRODUCERS, Math.min(nodes, ENOUGH));
  }

  static GatherFinder of(WorkflowGraph graph, ClusterShape shape) {
    GatherFinder gathers = new GatherFinder(graph, shape.nodes());
    if (shape.nodes() > 1) {
      graph.workflow().tasks().forEach(gathers::findGatheredTypes);
      gathers.findGroups();
    }
    return gathers;
  }

  /**
   * Returns the group that a file is collected in, named after the first task that reads any of its
   * files.
   */
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
      gatheredTypes.put(task.id(), Set.of()); // joining regions moves no bytes
      return;
    }
    Set<String> types = new HashSet<>();
    for (Map.Entry<String, Set<String>> entry : producersByType.entrySet()) {
      boolean many = entry.getValue().size() >= threshold;
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
        && readers.size() <= MAX_READERS
        && readers.stream()
            .allMatch(
                reader ->
                    gatheredTypes
                        .getOrDefault(reader.id(), Set.of())
                        .contains(producer.get().type()));
  }

  private String leader(String task) {
    String root = task;
    for (String parent = leaders.get(root); parent != null; parent = leaders.get(root)) {
      root = parent;
    }
    return root;
  }

  private void join(String one, String other) {
    String first = leader(one);
    String second = leader(other);
    if (!first.equals(second)) {
      leaders.put(second, first);
    }
  }
}
