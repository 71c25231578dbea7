package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes are to blame for failures: those on which several tasks have failed and none has
 * succeeded, while other nodes have done tasks of the same types. A workflow that fails everywhere
 * is nobody's fault but its own. Not thread-safe.
 */
final class NodeBlacklist {

  /** Fewer in a row are bad luck where commands fail now and then. */
  static final int TASKS = 5;

  /** Tasks of a type, in a graph. */
  private record Kind(WorkflowState graph, String type) {}

  private static Kind kind(TaskState task) {
    return new Kind(task.graph, task.task.type());
  }

  /** Of each node what has failed there since something last succeeded. */
  private final Map<String, Failures> byNode = new HashMap<>();

  /**
   * What has failed in a row on a node.
   *
   * @param tasks ids, by type
   * @param doneElsewhere types of which another node has done a task since
   */
  private record Failures(Map<Kind, Set<String>> tasks, Set<Kind> doneElsewhere) {

    Failures() {
      this(new HashMap<>(), new HashSet<>());
    }

    boolean areTheNodes() {
      int count = 0;
      for (Kind type : doneElsewhere) {
        count += tasks.getOrDefault(type, Set.of()).size();
      }
      return count >= TASKS;
    }
  }

  /**
   * A task's command has failed on a node.
   *
   * @return whether the node is to blame, by what is known now
   */
  boolean failed(TaskState task, String node) {
    Failures failures = byNode.computeIfAbsent(node, name -> new Failures());
    failures.tasks().computeIfAbsent(kind(task), type -> new HashSet<>()).add(task.id());
    return failures.areTheNodes();
  }

  /**
   * A task was done on a node.
   *
   * @return other nodes that are to blame, by what is known now
   */
  List<String> succeeded(TaskState task, String node) {
    byNode.remove(node);
    Kind type = kind(task);
    List<String> blamed = new ArrayList<>();
    byNode.forEach(
        (other, failures) -> {
          boolean isNews = failures.tasks().containsKey(type) && failures.doneElsewhere().add(type);
          if (isNews && failures.areTheNodes()) {
            blamed.add(other);
          }
        });
    return blamed;
  }

  /** A graph is forgotten. */
  void forget(WorkflowState graph) {
    byNode
        .values()
        .forEach(
            failures -> {
              failures.tasks().keySet().removeIf(kind -> kind.graph() == graph);
              failures.doneElsewhere().removeIf(kind -> kind.graph() == graph);
            });
    byNode.values().removeIf(failures -> failures.tasks().isEmpty());
  }
}
