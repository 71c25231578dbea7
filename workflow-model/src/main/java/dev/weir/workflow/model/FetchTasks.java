package dev.weir.workflow.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Creates the tasks that fetch external inputs of a workflow. */
public final class FetchTasks {

  /** Two attempts at the same time would read the file from the server twice. */
  private static final TaskNeeds NEEDS = new TaskNeeds(0, 0, 0, 0, /* singleCopy= */ true);

  private FetchTasks() {}

  /**
   * Returns the tasks of a workflow with tasks that fetch its inputs.
   *
   * @param sources where files are, by file id; files that a task writes, or that no task reads,
   *     are left out
   */
  public static List<Task> added(List<Task> tasks, Map<String, FetchCommand> sources) {
    Set<String> ids = new HashSet<>();
    Set<String> fetched = new HashSet<>();
    tasks.forEach(task -> ids.add(task.id()));
    tasks.forEach(task -> fetched.addAll(task.inputs()));
    tasks.forEach(task -> task.outputs().forEach(out -> fetched.remove(FileRegion.fileOf(out))));
    List<Task> all = new ArrayList<>(tasks);
    sources.forEach(
        (file, source) -> {
          if (fetched.contains(file)) {
            all.add(task(file, source, ids));
          }
        });
    return all;
  }

  private static Task task(String file, FetchCommand source, Set<String> ids) {
    String id = FetchCommand.TYPE + "-" + file.replace('/', '_');
    while (!ids.add(id)) {
      id = id + "_";
    }
    return new Task(
        id, FetchCommand.TYPE, source.words(), List.of(), List.of(file), List.of(), 0, NEEDS);
  }
}
