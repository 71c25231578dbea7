package dev.weir.workflow.shape;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The key figures of a workflow.
 *
 * @param types its types of tasks, in the order of their first tasks
 * @param widths number of tasks on each level; index 0 is the first level
 * @param criticalPath ids of the tasks on the critical path, first to last; of several such paths,
 *     and without known runtimes, the one with the most tasks
 * @param criticalSeconds runtime of the critical path in seconds; 0 if runtimes are unknown
 * @param totalSeconds total runtime of all tasks in seconds
 * @param outputs the final outputs
 */
public record WorkflowShape(
    List<TypeShape> types,
    List<Integer> widths,
    List<String> criticalPath,
    double criticalSeconds,
    double totalSeconds,
    Files inputs,
    Files intermediates,
    Files outputs) {

  /**
   * The tasks of a type.
   *
   * @param seconds their total runtime in seconds
   */
  public record TypeShape(String type, int tasks, double seconds) {}

  /**
   * A group of files.
   *
   * @param bytes their total size
   */
  public record Files(int count, long bytes) {

    static Files of(List<DataFile> files) {
      return new Files(files.size(), files.stream().mapToLong(DataFile::sizeBytes).sum());
    }
  }

  /** Copies the lists. */
  public WorkflowShape {
    types = List.copyOf(types);
    widths = List.copyOf(widths);
    criticalPath = List.copyOf(criticalPath);
  }

  /** Computes the key figures of a workflow in linear time. */
  public static WorkflowShape of(Workflow workflow) {
    WorkflowGraph graph = workflow.graph();
    Deque<String> path = new ArrayDeque<>();
    double seconds = new LongestPath(graph).find(path);
    return new WorkflowShape(
        types(workflow),
        widths(graph),
        List.copyOf(path),
        seconds,
        workflow.tasks().stream().mapToDouble(Task::runtimeSeconds).sum(),
        Files.of(graph.workflowInputs()),
        Files.of(graph.intermediates()),
        Files.of(graph.finalOutputs()));
  }

  private static List<TypeShape> types(Workflow workflow) {
    Map<String, TypeShape> types = new LinkedHashMap<>();
    for (Task task : workflow.tasks()) {
      types.merge(
          task.type(),
          new TypeShape(task.type(), 1, task.runtimeSeconds()),
          (a, b) -> new TypeShape(a.type(), a.tasks() + b.tasks(), a.seconds() + b.seconds()));
    }
    return List.copyOf(types.values());
  }

  private static List<Integer> widths(WorkflowGraph graph) {
    SortedMap<Integer, Integer> widths = new TreeMap<>();
    graph.levels().values().forEach(level -> widths.merge(level, 1, Integer::sum));
    return List.copyOf(widths.values());
  }

  /** Finds the chain of tasks with the longest runtime. */
  private static final class LongestPath {
    private final WorkflowGraph graph;
    private final Map<String, Reach> reaches = new HashMap<>();

    /**
     * The longest chain that ends with a task. {@code before} is the preceding task; empty at the
     * start of the chain.
     */
    private record Reach(double seconds, int tasks, String before) {
      boolean exceeds(Reach other) {
        return seconds > other.seconds || (seconds == other.seconds && tasks > other.tasks);
      }
    }

    private static final Reach NOTHING = new Reach(0, 0, "");

    LongestPath(WorkflowGraph graph) {
      this.graph = graph;
    }

    double find(Deque<String> path) {
      String last = "";
      Reach longest = NOTHING;
      for (Task task : graph.topologicalOrder()) {
        Reach reach = reach(task);
        reaches.put(task.id(), reach);
        if (reach.exceeds(longest)) {
          longest = reach;
          last = task.id();
        }
      }
      while (!last.isEmpty()) {
        path.addFirst(last);
        last = reaches.getOrDefault(last, NOTHING).before();
      }
      return longest.seconds();
    }

    private Reach reach(Task task) {
      Reach best = NOTHING;
      String before = "";
      for (Task parent : graph.parents(task.id())) {
        Reach reach = reaches.getOrDefault(parent.id(), NOTHING);
        if (reach.exceeds(best)) {
          best = reach;
          before = parent.id();
        }
      }
      return new Reach(best.seconds() + task.runtimeSeconds(), best.tasks() + 1, before);
    }
  }
}
