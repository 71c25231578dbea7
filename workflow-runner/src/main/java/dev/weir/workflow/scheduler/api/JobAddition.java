package dev.weir.workflow.scheduler.api;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A task to add to a graph that grows.
 *
 * @param task the task; no known task may have its id
 * @param places for each input that is in HDFS and that no known task makes, the bytes of it on
 *     each host
 * @param attempts how often its command may fail, at least 1
 * @param priority tasks with a higher priority go first
 * @param source the submitted form of the task, to answer its submitter after a restart
 * @param onNodes ids of the outputs that may stay on the nodes that make them
 */
public record JobAddition(
    Task task,
    List<DataFile> files,
    Map<String, Map<String, Long>> places,
    int attempts,
    int priority,
    String source,
    Set<String> onNodes) {

  /**
   * Checks the values and copies the collections.
   *
   * @throws IllegalArgumentException when {@code attempts} is below 1, or the task reads a file
   *     that it writes
   */
  public JobAddition {
    files = List.copyOf(files);
    onNodes = Set.copyOf(onNodes);
    Map<String, Map<String, Long>> copies = new HashMap<>();
    places.forEach((file, bytes) -> copies.put(file, Map.copyOf(bytes)));
    places = Map.copyOf(copies);
    if (attempts < 1) {
      throw new IllegalArgumentException(
          "Task '" + task.id() + "' has " + attempts + " attempts: give 1 or more");
    }
    for (String output : task.outputs()) {
      if (task.inputs().contains(output)) {
        throw new IllegalArgumentException(
            "Task '" + task.id() + "' reads and writes '" + output + "': write another file");
      }
    }
  }
}
