package dev.weir.workflow.scheduler;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A task that comes to a graph that grows.
 *
 * @param task the task; no task that is known may have its id
 * @param files the files that it names
 * @param places for each input that is in HDFS and that no known task makes, the bytes of each host
 *     that holds some of it
 * @param attempts how often its command may fail, at least 1
 * @param priority tasks with a greater one go first
 * @param source what the task was made of, for whoever has to answer its submitter after a restart
 */
public record JobAddition(
    Task task,
    List<DataFile> files,
    Map<String, Map<String, Long>> places,
    int attempts,
    int priority,
    String source) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when it may not be attempted once, or reads what it writes
   */
  public JobAddition {
    files = List.copyOf(files);
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
