package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.scheduler.api.JobAddition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Tasks to add to a graph that grows. */
final class Additions {

  private Additions() {}

  static JobAddition plain(Task task) {
    return addition(task, Map.of(), 1, 0);
  }

  /** A task whose outputs may stay on nodes. */
  static JobAddition intermediate(Task task) {
    JobAddition plain = plain(task);
    return new JobAddition(task, plain.files(), Map.of(), 1, 0, "{}", Set.copyOf(task.outputs()));
  }

  static JobAddition addition(
      Task task, Map<String, Map<String, Long>> places, int attempts, int priority) {
    List<DataFile> files =
        Stream.concat(task.inputs().stream(), task.outputs().stream())
            .map(file -> new DataFile(file, 10))
            .toList();
    return new JobAddition(task, files, places, attempts, priority, "{}", Set.of());
  }
}
