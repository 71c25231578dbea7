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
 * Several repetitions of a small workflow in one run, one after another with a pause between: what
 * a run takes until its workers are there is many times as long as the workflow. Each repetition
 * has files, and types of tasks, of its own, so that none profits by what another has moved or has
 * taught.
 */
public final class RepeatedWorkflow {
  private static final String MARK = "@";

  private RepeatedWorkflow() {}

  /**
   * One workflow of several.
   *
   * @param repetitions no two of which have a file in common
   * @param restSeconds for which nothing runs between two of them, so that what one has begun
   *     (copies that follow later) is done
   * @return the only one as it is; of more, each task has the number of its repetition in its id
   *     and its type
   */
  public static Workflow of(List<Workflow> repetitions, int restSeconds) {
    if (repetitions.size() == 1) {
      return repetitions.get(0);
    }
    List<Task> all = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<String> gate = List.of();
    for (int i = 0; i < repetitions.size(); i++) {
      Workflow one = repetitions.get(i);
      files.putAll(one.files());
      if (i > 0) {
        gate = rest(i, ids(repetitions.get(i - 1), i), restSeconds, all);
      }
      WorkflowGraph graph = one.graph();
      for (Task task : one.tasks()) {
        boolean first = graph.parents(task.id()).isEmpty();
        all.add(numbered(task, i + 1, first ? gate : ids(task.after(), i + 1)));
      }
    }
    return new Workflow(repetitions.get(0).name(), all, files);
  }

  /**
   * A pause, and a short task after it: while a task waits for running ones alone, Weir copies its
   * inputs to where it will run, before the clock runs.
   *
   * @return what the next repetition waits for
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

  private static Task numbered(Task task, int row, List<String> after) {
    Task numbered = TaskCopies.named(task, task.id() + MARK + row, task.type() + MARK + row);
    return TaskCopies.after(numbered, after);
  }

  private static List<String> ids(Workflow workflow, int row) {
    return ids(workflow.tasks().stream().map(Task::id).toList(), row);
  }

  private static List<String> ids(List<String> ids, int row) {
    return ids.stream().map(id -> id + MARK + row).toList();
  }

  /** The type of a task without the number of its repetition. */
  public static String plain(String type) {
    int mark = type.lastIndexOf(MARK);
    return mark < 0 ? type : type.substring(0, mark);
  }

  /** Which repetition a task of a type belongs to, from 1. */
  public static int number(String type) {
    int mark = type.lastIndexOf(MARK);
    return mark < 0 ? 1 : Integer.parseInt(type.substring(mark + MARK.length()));
  }
}
