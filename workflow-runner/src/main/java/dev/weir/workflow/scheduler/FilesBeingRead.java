package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts for each node which files are read by tasks assigned to its workers. Adding a task takes
 * time proportional to the number of its inputs. Not thread-safe.
 */
final class FilesBeingRead {

  private final Map<NodeFile, Integer> tasks = new HashMap<>();

  /** Adds a task assigned to a worker of a node. */
  void begin(TaskState task, String node) {
    for (FileState input : task.inputs()) {
      tasks.merge(new NodeFile(node, input.id()), 1, Integer::sum);
    }
  }

  /** Removes a task from a node. */
  void end(TaskState task, String node) {
    for (FileState input : task.inputs()) {
      tasks.computeIfPresent(
          new NodeFile(node, input.id()), (place, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Removes a node without workers. */
  void forget(String node) {
    tasks.keySet().removeIf(place -> place.node().equals(node));
  }

  /** Whether a task assigned to a worker of a node reads a file. */
  boolean reads(String node, String file) {
    return tasks.containsKey(new NodeFile(node, file));
  }
}
