package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tasks and files of a workflow, joined to each other, with the tasks' upward ranks: for each
 * the seconds from its start to the end of the workflow along the longest way, with no waiting.
 */
final class TaskGraph {

  /** For estimates where nothing was measured: what a local disk does at least. */
  static final double BYTES_PER_SECOND = 100e6;

  private final Map<String, TaskState> tasks = new LinkedHashMap<>();
  private final Map<String, FileState> files = new LinkedHashMap<>();
  private final TaskProfiles habits;
  private final String id;

  /**
   * The graph of a workflow.
   *
   * @param board knows the graph's id, which comes before those of tasks and files
   * @param habits what tasks take of which nothing is declared
   * @param size what there is to be taken
   * @throws IllegalArgumentException when a task needs more than there is
   */
  TaskGraph(WorkflowState board, Workflow workflow, TaskProfiles habits, WorkerSize size) {
    this.habits = habits;
    this.id = board.id;
    workflow.tasks().forEach(task -> requireFitting(task, size));
    for (DataFile declared : workflow.files().values()) {
      String fileId = ScopedId.of(id, declared.id());
      files.put(fileId, new FileState(fileId, declared.id(), declared.sizeBytes()));
    }
    WorkflowGraph graph = workflow.graph();
    List<Task> order = graph.topologicalOrder();
    Map<String, Double> ranks = ranks(graph);
    for (Task task : order) {
      TaskState state =
          new TaskState(
              board,
              task,
              known(task.inputs()),
              known(task.outputs()),
              ranks.getOrDefault(task.id(), 0.0));
      state.seconds = seconds(task, habits);
      habits.of(task.type()).ifPresent(habit -> state.learn(habit, size));
      tasks.put(state.id, state);
      state.inputs.forEach(file -> file.readBy(state));
      state.outputs.forEach(file -> file.producer = state);
    }
    for (TaskState state : tasks.values()) {
      for (String before : state.task.after()) {
        TaskState first = tasks.get(ScopedId.of(id, before));
        if (first != null) {
          first.follow(state);
        }
      }
    }
  }

  private TaskGraph() {
    this.habits = TaskProfiles.NONE;
    this.id = "";
  }

  private static void requireFitting(Task task, WorkerSize size) {
    refusal(task, size)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException(reason);
            });
  }

  /** Why a worker can never run a task; empty when it can. */
  static Optional<String> refusal(Task task, WorkerSize size) {
    ResourceNeeds needs = ResourceNeeds.of(task.needs());
    return size.fits(needs)
        ? Optional.empty()
        : Optional.of("Task '" + task.id() + "' needs " + needs + ", which is more than " + size);
  }

  /** A graph to which tasks are added. */
  static TaskGraph empty() {
    return new TaskGraph();
  }

  /** Copied, for a list of one or two takes half of the memory then. */
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

  private Map<String, Double> ranks(WorkflowGraph graph) {
    Map<String, Double> ranks = new HashMap<>();
    List<Task> order = graph.topologicalOrder();
    for (int i = order.size() - 1; i >= 0; i--) {
      Task task = order.get(i);
      double below = 0;
      for (Task child : graph.children(task.id())) {
        below = Math.max(below, ranks.getOrDefault(child.id(), 0.0));
      }
      ranks.put(task.id(), cost(graph, task) + below);
    }
    return ranks;
  }

  private double cost(WorkflowGraph graph, Task task) {
    long bytes = 0;
    for (String input : task.inputs()) {
      bytes += graph.bytesRead(task, input);
    }
    for (String output : task.outputs()) {
      bytes += graph.file(output).sizeBytes();
    }
    return seconds(task, habits) + bytes / BYTES_PER_SECOND;
  }

  /** How long a task computes as declared, or as others of its type did, or 1 s. */
  static double seconds(Task task, TaskProfiles habits) {
    return task.runtimeSeconds() > 0
        ? task.runtimeSeconds()
        : habits.of(task.type()).map(TaskProfiles.Habit::runSeconds).orElse(1.0);
  }

  Map<String, TaskState> tasks() {
    return tasks;
  }

  Map<String, FileState> files() {
    return files;
  }
}
