package dev.weir.workflow.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the tasks of a sub-workflow in the place of the task that stands for it. They get ids of the
 * form {@code TASK.ID}; the files of both workflows share their names.
 */
public final class Expansion {

  private Expansion() {}

  /**
   * Returns the tasks of a sub-workflow as they are in the workflow around it. They have the limits
   * and the container of the task that stands for them, unless they declare others.
   *
   * @param parent the task that stands for the sub-workflow
   * @throws InvalidWorkflowException if no task of it makes an output of the parent, or it is
   *     inside of too many others
   */
  public static Workflow scoped(Task parent, Workflow inner) {
    int depth = SubWorkflow.of(parent.command()).orElseThrow().depth() + 1;
    Set<String> made = new HashSet<>();
    List<Task> tasks = new ArrayList<>();
    for (Task task : inner.tasks()) {
      made.addAll(task.outputs());
      tasks.add(scoped(parent, task, depth));
    }
    for (String output : parent.outputs()) {
      if (!made.contains(output)) {
        throw new InvalidWorkflowException(
            null,
            "no task of it makes the file '" + output + "', which '" + parent.id() + "' declares",
            "let one of its tasks write the file, or remove it from the outputs");
      }
    }
    Map<String, DataFile> files = new LinkedHashMap<>(inner.files());
    parent
        .needs()
        .imageFile()
        .ifPresent(image -> files.putIfAbsent(image, DataFile.ofUnknownSize(image, "")));
    return new Workflow(inner.name(), tasks, files);
  }

  private static Task scoped(Task parent, Task task, int depth) {
    List<String> command =
        SubWorkflow.of(task.command()).map(sub -> words(task, sub, depth)).orElse(task.command());
    TaskNeeds needs = task.needs().orTimeLimit(parent.needs().timeLimitSeconds());
    boolean isPlain =
        needs.container().isEmpty()
            && !task.joinsRegions()
            && FetchCommand.of(task.command()).isEmpty();
    return new Task(
        parent.id() + "." + task.id(),
        task.type(),
        command,
        task.inputs(),
        task.outputs(),
        task.after().stream().map(before -> parent.id() + "." + before).toList(),
        task.runtimeSeconds(),
        isPlain ? needs.withContainer(parent.needs().container()) : needs,
        task.regions());
  }

  private static List<String> words(Task task, SubWorkflow sub, int depth) {
    if (depth > SubWorkflow.MAX_DEPTH) {
      throw new InvalidWorkflowException(
          null,
          "the task '"
              + task.id()
              + "' stands for a workflow inside of "
              + SubWorkflow.MAX_DEPTH
              + " others",
          "let workflows that make each other end earlier");
    }
    return sub.at(depth).words();
  }

  /**
   * Returns a workflow with the tasks of a sub-workflow instead of the task that stands for it.
   * Tasks after it come after all of them.
   *
   * @param inner what {@link #scoped} has returned
   * @throws InvalidWorkflowException if the result is inconsistent
   */
  public static Workflow inline(Workflow outer, Task parent, Workflow inner) {
    WorkflowGraph graph = inner.graph();
    List<String> last =
        inner.tasks().stream().map(Task::id).filter(id -> graph.children(id).isEmpty()).toList();
    List<Task> tasks = new ArrayList<>();
    for (Task task : outer.tasks()) {
      if (!task.id().equals(parent.id())) {
        tasks.add(after(task, replaced(task.after(), parent.id(), last)));
      }
    }
    for (Task task : inner.tasks()) {
      boolean isFirst = graph.parents(task.id()).isEmpty();
      tasks.add(isFirst ? after(task, parent.after()) : task);
    }
    Set<String> used = new HashSet<>();
    tasks.forEach(task -> used.addAll(task.inputs()));
    tasks.forEach(task -> used.addAll(task.outputs()));
    Map<String, DataFile> files = files(outer, inner);
    files.keySet().removeIf(id -> parent.inputs().contains(id) && !used.contains(id));
    return new Workflow(outer.name(), tasks, files);
  }

  /**
   * Returns a workflow with the tasks of a sub-workflow, and with the task that stands for it,
   * which is done after them and makes nothing itself.
   *
   * @param inner what {@link #scoped} has returned
   * @throws InvalidWorkflowException if the result is inconsistent
   */
  public static Workflow beside(Workflow outer, String parent, Workflow inner) {
    List<String> all = inner.tasks().stream().map(Task::id).toList();
    List<Task> tasks = new ArrayList<>();
    for (Task task : outer.tasks()) {
      tasks.add(task.id().equals(parent) ? expanded(task, all) : task);
    }
    tasks.addAll(inner.tasks());
    return new Workflow(outer.name(), tasks, files(outer, inner));
  }

  /**
   * Returns a task that stands for a sub-workflow, once this has been expanded: other tasks make
   * its outputs.
   *
   * @param inner ids of the tasks of the sub-workflow, as far as they are known
   */
  public static Task expanded(Task task, List<String> inner) {
    Set<String> after = new LinkedHashSet<>(task.after());
    after.addAll(inner);
    List<String> command = SubWorkflow.of(task.command()).orElseThrow().asExpanded().words();
    return with(task, command, List.of(), List.copyOf(after));
  }

  private static Task after(Task task, List<String> after) {
    return with(task, task.command(), task.outputs(), after);
  }

  private static Task with(
      Task task, List<String> command, List<String> outputs, List<String> after) {
    return new Task(
        task.id(),
        task.type(),
        command,
        task.inputs(),
        outputs,
        after,
        task.runtimeSeconds(),
        task.needs(),
        task.regions());
  }

  private static List<String> replaced(List<String> after, String parent, List<String> last) {
    if (!after.contains(parent)) {
      return after;
    }
    Set<String> all = new LinkedHashSet<>();
    after.forEach(id -> all.addAll(id.equals(parent) ? last : List.of(id)));
    return List.copyOf(all);
  }

  /** What the outer workflow declares of a file counts, except an unknown size. */
  private static Map<String, DataFile> files(Workflow outer, Workflow inner) {
    Map<String, DataFile> files = new LinkedHashMap<>(outer.files());
    inner
        .files()
        .forEach(
            (id, file) ->
                files.merge(
                    id,
                    file,
                    (declared, other) ->
                        declared.sizeKnown() || !declared.hint().isEmpty() ? declared : other));
    return files;
  }

  /**
   * Returns the tasks of a workflow with tasks that stand for the workflows in some of its files.
   *
   * @param made the files that a workflow makes for others, by the id of the file with it
   */
  public static List<Task> added(List<Task> tasks, Map<String, List<String>> made) {
    Set<String> ids = new HashSet<>();
    tasks.forEach(task -> ids.add(task.id()));
    List<Task> all = new ArrayList<>(tasks);
    made.forEach(
        (file, outputs) -> {
          String id = SubWorkflow.TYPE + "-" + file.replace('/', '_');
          while (!ids.add(id)) {
            id = id + "_";
          }
          List<String> words = new SubWorkflow(file, Map.of()).words();
          all.add(new Task(id, SubWorkflow.TYPE, words, List.of(file), outputs, 0));
        });
    return all;
  }
}
