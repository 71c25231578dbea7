package dev.weir.workflow.am;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.run.RunPlan;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of files for the first containers, so that workers start where the first tasks' inputs are.
 */
final class FirstInputs {

  private static final String SCHEME = "weir:";

  /** A name is a hint, not an inventory: a few files of a worker's first tasks say enough. */
  private static final int FILES_PER_WORKER = 4;

  private FirstInputs() {}

  /** For each worker one name, or none when there are more workers than tasks that can begin. */
  static List<List<String>> names(RunPlan plan) {
    WorkflowGraph graph = plan.workflow().graph();
    List<List<String>> paths = new ArrayList<>();
    for (int i = 0; i < plan.workers().count(); i++) {
      paths.add(new ArrayList<>());
    }
    int next = 0;
    for (Task task : plan.workflow().tasks()) {
      if (graph.parents(task.id()).isEmpty() && !task.inputs().isEmpty()) {
        List<String> worker = paths.get(next % plan.workers().count());
        task.inputs().stream()
            .map(plan::path)
            .filter(path -> !worker.contains(path) && worker.size() < FILES_PER_WORKER)
            .forEach(worker::add);
        next++;
      }
    }
    return paths.stream()
        .filter(worker -> !worker.isEmpty())
        .map(
            worker ->
                List.of(
                    SCHEME + String.join(",", worker.stream().map(FirstInputs::escape).toList())))
        .toList();
  }

  /** As in a URI: AMRMClient refuses the name of a node that has a slash in it. */
  private static String escape(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
