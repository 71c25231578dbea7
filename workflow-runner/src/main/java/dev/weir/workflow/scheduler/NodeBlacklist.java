package dev.weir.workflow.scheduler;

import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Determines which nodes to blacklist: nodes on which several tasks have failed and none has
 * succeeded, while other nodes have done tasks of the same types. Tasks that fail on all nodes are
 * no fault of the nodes. Not thread-safe.
 */
final class NodeBlacklist {

  /** Fewer failures in a row may be chance if commands fail now and then. */
  static final int TASKS = 5;

  private record Kind(WorkflowState graph, String type) {}

  private static Kind kind(TaskState task) {
    return new Kind(task.graph(), task.task().type());
  }

  /** For each node, the failures since the last success there. */
  private final Map<String, Failures> byNode = new HashMap<>();

  /**
   * Failures in a row on a node.
   *
   * @param tasks ids of failed tasks, by type
   * @param doneElsewhere types of which another node has done a task since
   */
  private record Failures(Map<Kind, Set<String>> tasks, Set<Kind> doneElsewhere) {

    Failures() {
      this(new HashMap<>(), new HashSet<>());
    }

    boolean exceedLimit() {
      int count = 0;
      for (Kind type : doneElsewhere) {
        count += tasks.getOrDefault(type, Set.of()).size();
      }
      return count >= TASKS;
    }
  }

  /**
   * Counts a failed command on a node.
   *
   * @return whether the node is to be blacklisted
   */
  boolean failed(TaskState task, String node) {
    Failures failures = byNode.computeIfAbsent(node, name -> new Failures());
    failures.tasks().computeIfAbsent(kind(task), type -> new HashSet<>()).add(task.id());
    return failures.exceedLimit();
  }

  /**
   * Counts a done task on a node.
   *
   * @return other nodes that are to be blacklisted
   */
  List<String> succeeded(TaskState task, String node) {
    byNode.remove(node);
    Kind type = kind(task);
    List<String> blacklisted = new ArrayList<>();
    byNode.forEach(
        (other, failures) -> {
          boolean isNew = failures.tasks().containsKey(type) && failures.doneElsewhere().add(type);
          if (isNew && failures.exceedLimit()) {
            blacklisted.add(other);
          }
        });
    return blacklisted;
  }

  /** Removes the failures of a forgotten graph. */
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
