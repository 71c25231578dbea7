package dev.weir.workflow.session;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.scheduler.PendingInputs;
import dev.weir.workflow.staging.RunPlan;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Names of files for containers, so that workers start where the inputs are: the first ones where
 * those of the first tasks are, and one that takes another's place where those are of what waits.
 */
public final class FirstInputs {

  private static final String SCHEME = "weir:";

  /** A name is a hint, not an inventory: a few files of a worker's first tasks say enough. */
  static final int FILES_PER_WORKER = 4;

  private FirstInputs() {}

  /**
   * What a worker that takes another's place is best near; empty if nothing waits.
   *
   * @param paths gives the absolute path of the file that the dispatcher knows by an id
   */
  public static List<String> names(UnaryOperator<String> paths, PendingInputs waiting) {
    return name(waiting.inputs().stream().map(paths).toList(), waiting.bytesPerSecond());
  }

  /**
   * For each worker one name, or none when there are more workers than tasks that can begin. None
   * at all when every node gets a worker: some worker is near each file then, whichever comes
   * first, and to name nodes would only have the others wait.
   *
   * @param bytesPerSecond how fast files come from other nodes, 0 if that is not known
   */
  public static List<List<String>> names(RunPlan plan, long bytesPerSecond) {
    int nodes = plan.racks().size();
    if (nodes > 0 && plan.workers().count() >= nodes) {
      return List.of();
    }
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
        .map(worker -> name(worker, bytesPerSecond))
        .toList();
  }

  /** With the rate the ResourceManager can tell what a wait for the files' nodes is worth. */
  static List<String> name(List<String> paths, long bytesPerSecond) {
    if (paths.isEmpty()) {
      return List.of();
    }
    String rate = bytesPerSecond > 0 ? ";rate=" + bytesPerSecond : "";
    return List.of(
        SCHEME
            + String.join(
                ",", paths.stream().limit(FILES_PER_WORKER).map(FirstInputs::escape).toList())
            + rate);
  }

  /** As in a URI: AMRMClient refuses the name of a node that has a slash in it. */
  private static String escape(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
