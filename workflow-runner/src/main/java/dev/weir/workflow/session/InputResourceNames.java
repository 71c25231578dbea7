package dev.weir.workflow.session;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.scheduler.api.PendingInputs;
import dev.weir.workflow.staging.RunPlan;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Builds resource names that place workers near inputs. The first workers start near the inputs of
 * the first tasks, replacements near the inputs of waiting tasks.
 */
public final class InputResourceNames {

  private static final String SCHEME = "weir:";

  /** Enough for a placement hint: a few files of the worker's first tasks. */
  static final int FILES_PER_WORKER = 4;

  private InputResourceNames() {}

  /**
   * Names the inputs of waiting tasks, for a replacement; empty if no task waits.
   *
   * @param paths gives the absolute path of the file that the dispatcher knows by an id
   */
  public static List<String> names(UnaryOperator<String> paths, PendingInputs waiting) {
    return name(waiting.inputs().stream().map(paths).toList(), waiting.bytesPerSecond());
  }

  /**
   * Names the inputs of the first tasks, one name for each worker. Workers beyond the number of
   * ready tasks get no name. Empty when every node gets a worker: each file then has a worker
   * nearby, and names would only delay the others.
   *
   * @param bytesPerSecond the rate of remote reads, 0 if unknown
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

  /** The rate lets the ResourceManager weigh the wait for a node that holds the files. */
  static List<String> name(List<String> paths, long bytesPerSecond) {
    if (paths.isEmpty()) {
      return List.of();
    }
    String rate = bytesPerSecond > 0 ? ";rate=" + bytesPerSecond : "";
    return List.of(
        SCHEME
            + String.join(
                ",",
                paths.stream().limit(FILES_PER_WORKER).map(InputResourceNames::escape).toList())
            + rate);
  }

  /** Percent-encodes, because AMRMClient rejects a node name with a slash. */
  private static String escape(String path) {
    return URLEncoder.encode(path, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
