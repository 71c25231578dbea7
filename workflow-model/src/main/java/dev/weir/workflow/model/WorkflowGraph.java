package dev.weir.workflow.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The graph of a workflow's tasks. Results have the order of the workflow's own lists, so equal
 * workflows give equal results. Immutable and thread-safe.
 */
public final class WorkflowGraph {

  private final Workflow workflow;
  private final Map<String, Task> tasks = new LinkedHashMap<>();
  private final Map<String, Task> producers = new HashMap<>();
  private final Map<String, List<Task>> consumers = new HashMap<>();
  private final Map<String, List<Task>> parents = new HashMap<>();
  private final Map<String, List<Task>> children = new HashMap<>();
  private final List<Task> order;

  WorkflowGraph(Workflow workflow) {
    this.workflow = workflow;
    for (Task task : workflow.tasks()) {
      tasks.put(task.id(), task);
      task.outputs().forEach(id -> producers.put(id, task));
      task.inputs().forEach(id -> consumers.computeIfAbsent(id, k -> new ArrayList<>()).add(task));
    }
    for (Task task : workflow.tasks()) {
      List<Task> before = findParents(task);
      parents.put(task.id(), before);
      before.forEach(
          parent -> children.computeIfAbsent(parent.id(), k -> new ArrayList<>()).add(task));
    }
    this.order = sort();
  }

  private List<Task> findParents(Task task) {
    Set<String> ids = new LinkedHashSet<>();
    for (String input : task.inputs()) {
      Task producer = producers.get(input);
      if (producer != null) {
        ids.add(producer.id());
      }
    }
    ids.addAll(task.after());
    return ids.stream().map(this::task).toList();
  }

  private List<Task> sort() {
    Map<String, Integer> missing = new HashMap<>();
    Deque<Task> free = new ArrayDeque<>();
    for (Task task : workflow.tasks()) {
      int count = parents(task.id()).size();
      missing.put(task.id(), count);
      if (count == 0) {
        free.add(task);
      }
    }
    List<Task> sorted = new ArrayList<>();
    while (!free.isEmpty()) {
      Task task = free.remove();
      sorted.add(task);
      for (Task child : children(task.id())) {
        if (missing.merge(child.id(), -1, Integer::sum) == 0) {
          free.add(child);
        }
      }
    }
    return List.copyOf(sorted);
  }

  public Workflow workflow() {
    return workflow;
  }

  /**
   * Returns the task with an id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Task task(String taskId) {
    Task task = tasks.get(taskId);
    if (task == null) {
      throw new IllegalArgumentException(
          "No task '" + taskId + "' in the workflow '" + workflow.name() + "'");
    }
    return task;
  }

  /**
   * Returns the file with an id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public DataFile file(String fileId) {
    DataFile file = workflow.files().get(fileId);
    if (file == null) {
      throw new IllegalArgumentException(
          "No file '" + fileId + "' in the workflow '" + workflow.name() + "'");
    }
    return file;
  }

  /** Returns the task that writes a file; empty for an input of the workflow. */
  public Optional<Task> producer(String fileId) {
    return Optional.ofNullable(producers.get(fileId));
  }

  /** Returns the tasks that read a file. */
  public List<Task> consumers(String fileId) {
    return List.copyOf(consumers.getOrDefault(fileId, List.of()));
  }

  /** Returns how many bytes of a file a task reads, in whole or in regions. */
  public long bytesRead(Task task, String fileId) {
    List<FileRegion> regions = task.regionsOf(fileId);
    return regions.isEmpty()
        ? file(fileId).sizeBytes()
        : regions.stream().mapToLong(FileRegion::length).sum();
  }

  /** Returns the tasks that must end before a task starts, because of files or by order alone. */
  public List<Task> parents(String taskId) {
    return List.copyOf(parents.getOrDefault(taskId, List.of()));
  }

  /** Returns the tasks that wait for a task, because of files or by order alone. */
  public List<Task> children(String taskId) {
    return List.copyOf(children.getOrDefault(taskId, List.of()));
  }

  /** Returns all tasks, each after its parents. */
  public List<Task> topologicalOrder() {
    return order;
  }

  /**
   * Returns the level of each task by its id: the number of tasks before it on the longest path, 0
   * for one that waits for no other.
   */
  public Map<String, Integer> levels() {
    Map<String, Integer> levels = new HashMap<>();
    for (Task task : order) {
      int level = 0;
      for (Task parent : parents(task.id())) {
        level = Math.max(level, levels.getOrDefault(parent.id(), 0) + 1);
      }
      levels.put(task.id(), level);
    }
    return levels;
  }

  /**
   * Returns the files that must exist before the workflow starts. Tasks read them, and no task
   * writes them.
   */
  public List<DataFile> workflowInputs() {
    return workflow.files().values().stream()
        .filter(file -> !producers.containsKey(file.id()) && consumers.containsKey(file.id()))
        .toList();
  }

  /**
   * Returns the results of the workflow: tasks write them, no task reads them, and their author
   * does not call them temporary.
   */
  public List<DataFile> finalOutputs() {
    return outputs().filter(file -> !isIntermediate(file)).toList();
  }

  /** Returns the intermediate files: tasks write them, and they are no results. */
  public List<DataFile> intermediates() {
    return outputs().filter(this::isIntermediate).toList();
  }

  private Stream<DataFile> outputs() {
    return workflow.files().values().stream().filter(file -> producers.containsKey(file.id()));
  }

  private boolean isIntermediate(DataFile output) {
    return consumers.containsKey(output.id()) || output.calledTemporary();
  }
}
