package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tasks and files of a workflow, linked to each other, with the rank of each task. The rank is
 * the longest chain of run times, in seconds, from the start of the task to the end of the
 * workflow, without waiting.
 */
public final class TaskGraph {

  /** The rate that estimates assume when none was measured: what a local disk delivers at least. */
  public static final double BYTES_PER_SECOND = 100e6;

  private final Map<String, TaskState> tasks = new LinkedHashMap<>();
  private final Map<String, FileState> files = new LinkedHashMap<>();
  private final String id;

  /**
   * Builds the graph of a workflow.
   *
   * @param owner state of the graph; its id is the prefix of ids of tasks and files
   * @param profiles profiles of task types, used for needs that a task does not declare
   * @throws IllegalArgumentException when a task needs more than a worker has
   */
  TaskGraph(WorkflowState owner, Workflow workflow, TaskProfiles profiles, WorkerSize size) {
    this.id = owner.id();
    workflow.tasks().forEach(task -> requireFitting(task, size));
    for (DataFile declared : workflow.files().values()) {
      String fileId = ScopedId.of(id, declared.id());
      files.put(fileId, new FileState(fileId, declared.id(), declared.sizeBytes()));
    }
    WorkflowGraph graph = workflow.graph();
    List<Task> order = graph.topologicalOrder();
    Map<String, Double> ranks = ranks(graph, profiles);
    for (Task task : order) {
      TaskState state =
          new TaskState(
              owner,
              task,
              known(task.inputs()),
              known(task.outputs()),
              ranks.getOrDefault(task.id(), 0.0));
      state.estimateSeconds(seconds(task, profiles));
      profiles.of(task.type()).ifPresent(profile -> state.applyProfile(profile, size));
      tasks.put(state.id(), state);
      state.inputs().forEach(file -> file.readBy(state));
      state.outputs().forEach(file -> file.madeBy(state));
    }
    for (TaskState state : tasks.values()) {
      for (String before : state.task().after()) {
        TaskState first = tasks.get(ScopedId.of(id, before));
        if (first != null) {
          first.addFollower(state);
        }
      }
    }
  }

  private TaskGraph() {
    this.id = "";
  }

  private static void requireFitting(Task task, WorkerSize size) {
    refusal(task, size)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(reason);
            });
  }

  /** Returns why no worker can ever run a task; empty when workers can. */
  public static Optional<String> refusal(Task task, WorkerSize size) {
    ResourceNeeds needs = ResourceNeeds.of(task.needs());
    return size.refusal(needs)
        .map(reason -> "Task '" + task.id() + "' needs " + needs.inWords() + ", and " + reason);
  }

  /** An empty graph, to which tasks are added. */
  static TaskGraph empty() {
    return new TaskGraph();
  }

  /** A copied list of one or two elements takes half of the memory. */
  private List<FileState> known(List<String> ids) {
    return List.copyOf(ids.stream().map(this::known).toList());
  }

  private FileState known(String name) {
    FileState file = files.get(ScopedId.of(id, name));
    if (file == null) {
      throw new IllegalArgumentException("No file '" + name + "' in this workflow");
    }
    return file;
  }

  public static Map<String, Double> ranks(WorkflowGraph graph, TaskProfiles profiles) {
    Map<String, Double> ranks = new HashMap<>();
    List<Task> order = graph.topologicalOrder();
    for (int i = order.size() - 1; i >= 0; i--) {
      Task task = order.get(i);
      double below = 0;
      for (Task child : graph.children(task.id())) {
        below = Math.max(below, ranks.getOrDefault(child.id(), 0.0));
      }
      ranks.put(task.id(), cost(graph, task, profiles) + below);
    }
    return ranks;
  }

  private static double cost(WorkflowGraph graph, Task task, TaskProfiles profiles) {
    long bytes = 0;
    for (String input : task.inputs()) {
      bytes += graph.bytesRead(task, input);
    }
    for (String output : task.outputs()) {
      bytes += graph.file(output).sizeBytes();
    }
    return seconds(task, profiles) + bytes / BYTES_PER_SECOND;
  }

  /** The run time of a task in seconds: as declared, else that of its type, else 1 s. */
  public static double seconds(Task task, TaskProfiles profiles) {
    return task.runtimeSeconds() > 0
        ? task.runtimeSeconds()
        : profiles.of(task.type()).map(TaskProfiles.Profile::runSeconds).orElse(1.0);
  }

  Map<String, TaskState> tasks() {
    return tasks;
  }

  Map<String, FileState> files() {
    return files;
  }
}
