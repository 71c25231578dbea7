package dev.weir.workflow.wfformat;

import dev.weir.workflow.model.JsonPlace;
import dev.weir.workflow.model.WorkflowException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The order that {@code parents} and {@code children} declare. Both lists must name tasks, and must
 * be consistent if both exist. Dependencies through files need not be declared.
 */
final class DeclaredOrder {

  private final Map<String, Set<String>> parents = new LinkedHashMap<>();
  private final Map<String, Set<String>> children = new LinkedHashMap<>();

  private DeclaredOrder() {}

  static DeclaredOrder of(Map<String, JsonPlace> tasks) throws WorkflowException {
    DeclaredOrder order = new DeclaredOrder();
    for (Map.Entry<String, JsonPlace> task : tasks.entrySet()) {
      order.read(task, "parents", order.parents, tasks.keySet());
      order.read(task, "children", order.children, tasks.keySet());
    }
    for (Map.Entry<String, JsonPlace> task : tasks.entrySet()) {
      order.compare(task.getKey(), task.getValue());
    }
    order.children.forEach(
        (parent, ids) ->
            ids.forEach(
                child ->
                    order.parents.computeIfAbsent(child, k -> new LinkedHashSet<>()).add(parent)));
    return order;
  }

  /** Returns the tasks that are declared to precede a task. */
  Set<String> predecessors(String id) {
    return Collections.unmodifiableSet(parents.getOrDefault(id, Set.of()));
  }

  private void read(
      Map.Entry<String, JsonPlace> task,
      String key,
      Map<String, Set<String>> lists,
      Set<String> known)
      throws WorkflowException {
    if (!task.getValue().has(key)) {
      return;
    }
    Set<String> ids = new LinkedHashSet<>();
    for (JsonPlace place : task.getValue().optionalList(key)) {
      String id = place.nonBlankText("name a task by its id");
      if (!known.contains(id)) {
        throw place.problem(
            "no task has the id '" + id + "'", "name a task of this workflow or remove the entry");
      }
      ids.add(id);
    }
    lists.put(task.getKey(), ids);
  }

  private void compare(String id, JsonPlace task) throws WorkflowException {
    for (String parent : parents.getOrDefault(id, Set.of())) {
      Set<String> declared = children.get(parent);
      if (declared != null && !declared.contains(id)) {
        throw task.at("parents")
            .problem(
                "'" + id + "' names the parent '" + parent + "', which does not name it as a child",
                "add '" + id + "' to the children of '" + parent + "' or remove the parent here");
      }
    }
    for (String child : children.getOrDefault(id, Set.of())) {
      Set<String> declared = parents.get(child);
      if (declared != null && !declared.contains(id)) {
        throw task.at("children")
            .problem(
                "'" + id + "' names the child '" + child + "', which does not name it as a parent",
                "add '" + id + "' to the parents of '" + child + "' or remove the child here");
      }
    }
  }
}
