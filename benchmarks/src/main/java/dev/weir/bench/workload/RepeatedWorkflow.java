package dev.weir.bench.workload;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several repetitions of a small workflow in one run, one after another with a pause between,
 * because the start of a run takes much longer than the workflow. Each repetition has its own files
 * and task types, so that none benefits from data that another has moved or times that it has
 * recorded.
 */
public final class RepeatedWorkflow {
  private static final String MARK = "@";

  private RepeatedWorkflow() {}

  /**
   * Joins workflows.
   *
   * @param repetitions workflows without common files
   * @param restSeconds the pause between two of them, in which background work such as late
   *     replicas finishes
   * @return a single workflow unchanged; of several, each task has the number of its repetition in
   *     its id and its type
   */
  public static Workflow of(List<Workflow> repetitions, int restSeconds) {
    if (repetitions.size() == 1) {
      return repetitions.get(0);
    }
    List<Task> all = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<String> gate = List.of();
    for (int i = 0; i < repetitions.size(); i++) {
      Workflow repetition = repetitions.get(i);
      files.putAll(repetition.files());
      if (i > 0) {
        gate = rest(i, ids(repetitions.get(i - 1), i), restSeconds, all);
      }
      WorkflowGraph graph = repetition.graph();
      for (Task task : repetition.tasks()) {
        boolean first = graph.parents(task.id()).isEmpty();
        all.add(numbered(task, i + 1, first ? gate : ids(task.after(), i + 1)));
      }
    }
    return new Workflow(repetitions.get(0).name(), all, files);
  }

  /**
   * Adds a pause, and a short task after it. The short task is needed because Weir copies the
   * inputs of a task ahead once it waits only for running tasks; the copies would not be measured.
   *
   * @return the ids of the tasks that the next repetition waits for
   */
  private static List<String> rest(int after, List<String> before, int seconds, List<Task> all) {
    String pause = "rest" + MARK + after;
    String gate = "gate" + MARK + after;
    all.add(warming(pause, "sleep " + seconds, before));
    all.add(warming(gate, ":", List.of(pause)));
    return List.of(gate);
  }

  private static Task warming(String id, String script, List<String> after) {
    return new Task(
        id, WorkerWarmUp.TYPE, List.of("sh", "-c", script), List.of(), List.of(), after, 0);
  }

  private static Task numbered(Task task, int number, List<String> after) {
    Task numbered = TaskCopies.named(task, task.id() + MARK + number, task.type() + MARK + number);
    return TaskCopies.after(numbered, after);
  }

  private static List<String> ids(Workflow workflow, int number) {
    return ids(workflow.tasks().stream().map(Task::id).toList(), number);
  }

  private static List<String> ids(List<String> ids, int number) {
    return ids.stream().map(id -> id + MARK + number).toList();
  }

  /** Returns the type of a task without the number of its repetition. */
  public static String plain(String type) {
    int mark = type.lastIndexOf(MARK);
    return mark < 0 ? type : type.substring(0, mark);
  }

  /** Returns the repetition of a task type, from 1. */
  public static int number(String type) {
    int mark = type.lastIndexOf(MARK);
    return mark < 0 ? 1 : Integer.parseInt(type.substring(mark + MARK.length()));
  }
}
