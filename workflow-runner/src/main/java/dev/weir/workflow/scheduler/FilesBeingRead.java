package dev.weir.workflow.scheduler;

import java.util.HashMap;
import java.util.Map;

/**
 * Which files the tasks read that workers have in hand, by node. To take a task in costs as much as
 * it has inputs. Not thread-safe.
 */
final class FilesBeingRead {

  private final Map<NodeFile, Integer> tasks = new HashMap<>();

  /** A worker of a node is given a task. */
  void begin(TaskState task, String node) {
    for (FileState input : task.inputs) {
      tasks.merge(new NodeFile(node, input.id), 1, Integer::sum);
    }
  }

  /** A worker of a node has a task no longer. */
  void end(TaskState task, String node) {
    for (FileState input : task.inputs) {
      tasks.computeIfPresent(
          new NodeFile(node, input.id), (place, count) -> count == 1 ? null : count - 1);
    }
  }

  /** A node has no workers any more. */
  void forget(String node) {
    tasks.keySet().removeIf(place -> place.node().equals(node));
  }

  /** Whether a task that a worker of a node has in hand reads a file. */
  boolean reads(String node, String file) {
    return tasks.containsKey(new NodeFile(node, file));
  }
}
