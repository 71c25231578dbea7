package dev.weir.workflow.estimate;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long the commands of a workflow take. Measured times of a type count more than declared ones,
 * which another machine may have taken: they scale the declared times of the type, so that tasks of
 * a type keep their differences. A task without either takes a second, as in the scheduler.
 */
final class TaskTimes {

  private static final double UNKNOWN = 1;

  private final Map<String, Double> seconds = new HashMap<>();
  private int unknown;

  private TaskTimes() {}

  static TaskTimes of(Workflow workflow, TaskProfiles measured) {
    Map<String, List<Double>> declared = new HashMap<>();
    for (Task task : workflow.tasks()) {
      if (task.runtimeSeconds() > 0) {
        declared.computeIfAbsent(task.type(), t -> new ArrayList<>()).add(task.runtimeSeconds());
      }
    }
    Map<String, Double> medians = new HashMap<>();
    declared.forEach((type, times) -> medians.put(type, median(times)));
    TaskTimes times = new TaskTimes();
    for (Task task : workflow.tasks()) {
      double own = task.runtimeSeconds();
      double known = measured.of(task.type()).map(TaskProfiles.Profile::runSeconds).orElse(-1.0);
      double median = medians.getOrDefault(task.type(), 0.0);
      if (known < 0 && own == 0) {
        times.unknown++;
        times.seconds.put(task.id(), UNKNOWN);
      } else if (known < 0) {
        times.seconds.put(task.id(), own);
      } else {
        times.seconds.put(task.id(), own > 0 ? known * own / median : known);
      }
    }
    return times;
  }

  private static double median(List<Double> values) {
    Collections.sort(values);
    int middle = values.size() / 2;
    return values.size() % 2 == 1
        ? values.get(middle)
        : (values.get(middle - 1) + values.get(middle)) / 2;
  }

  double seconds(String task) {
    return seconds.getOrDefault(task, UNKNOWN);
  }

  double total() {
    return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** How many tasks have neither a declared nor a measured time. */
  int unknown() {
    return unknown;
  }
}
