package dev.weir.workflow.shape;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A workflow in a few numbers.
 *
 * @param types its types of tasks, in the order of their first tasks
 * @param widths how many tasks have 0, 1, 2, ... levels of tasks before them
 * @param criticalPath ids of the tasks that cannot overlap and take longest, first to last; of
 *     equals, and where no runtimes are known, the longest chain
 * @param criticalSeconds how long they take, in seconds; 0 when no runtimes are known
 * @param totalSeconds how long all tasks take one after another, in seconds
 * @param inputs the files that must be there
 * @param intermediates the files that tasks make for each other
 * @param outputs the files that nobody reads
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
   * @param type what they are called
   * @param tasks how many there are
   * @param seconds how long they take together, in seconds
   */
  public record TypeShape(String type, int tasks, double seconds) {}

  /**
   * Some files.
   *
   * @param count how many there are
   * @param bytes their sizes together
   */
  public record Files(int count, long bytes) {

    static Files of(List<DataFile> files) {
      return new Files(files.size(), files.stream().mapToLong(DataFile::sizeBytes).sum());
    }
  }

  /** Copies. */
  public WorkflowShape {
    types = List.copyOf(types);
    widths = List.copyOf(widths);
    criticalPath = List.copyOf(criticalPath);
  }

  /** Looks at a workflow; in time proportional to it. */
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
    Map<String, Integer> levels = new HashMap<>();
    List<Integer> widths = new ArrayList<>();
    for (Task task : graph.topologicalOrder()) {
      int level = 0;
      for (Task parent : graph.parents(task.id())) {
        level = Math.max(level, 1 + levels.getOrDefault(parent.id(), 0));
      }
      levels.put(task.id(), level);
      if (level == widths.size()) {
        widths.add(0);
      }
      widths.set(level, widths.get(level) + 1);
    }
    return widths;
  }

  /** The chain of tasks that takes longest. */
  private static final class LongestPath {
    private final WorkflowGraph graph;
    private final Map<String, Reach> reaches = new HashMap<>();

    /** The longest chain that ends with a task; before is empty at its beginning. */
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
