package dev.weir.workflow.run;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.WorkerPlan;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Plans for tests. */
public final class Plans {

  private Plans() {}

  public static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "type-" + id, List.of("run", id), inputs, outputs, 1.5);
  }

  /** Returns orders of a plan none of whose outputs go to the same node. */
  public static RunOrders orders(RunPlan plan, String master) {
    return new RunOrders("", plan, master, path -> "");
  }

  /** Returns a plan whose files are in a directory. */
  static RunPlan below(String directory) {
    RunPlan plan = of(1, task("t", List.of(), List.of()));
    return copyOf(plan, directory, plan.choices(), plan.racks());
  }

  /** Returns the plan for a cluster of these nodes. */
  static RunPlan on(RunPlan plan, String... nodes) {
    Map<String, String> racks = new LinkedHashMap<>();
    Arrays.asList(nodes).forEach(node -> racks.put(node, "/rack"));
    return copyOf(plan, plan.dataDir(), plan.choices(), racks);
  }

  /** Returns the plan with other options. */
  public static RunPlan with(RunPlan plan, RunOptions options) {
    return copyOf(plan, plan.dataDir(), options, plan.racks());
  }

  private static RunPlan copyOf(
      RunPlan plan, String directory, RunOptions options, Map<String, String> racks) {
    return new RunPlan(
        plan.workflow(),
        plan.mode(),
        plan.fileSystem(),
        directory,
        plan.standIn(),
        plan.workers(),
        plan.environment(),
        plan.settings(),
        plan.user(),
        options,
        racks);
  }

  public static RunPlan of(int workers, Task... tasks) {
    return of(10, workers, tasks);
  }

  /** Returns a plan whose files have this many bytes. */
  static RunPlan of(long bytes, int workers, Task... tasks) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (Task task : tasks) {
      task.inputs().forEach(file -> files.putIfAbsent(file, new DataFile(file, bytes)));
      task.outputs().forEach(file -> files.putIfAbsent(file, new DataFile(file, bytes)));
    }
    return new RunPlan(
        new Workflow("test", Arrays.asList(tasks), files),
        Mode.WEIR,
        "hdfs://nn:8020",
        "/data",
        true,
        WorkerPlan.DEFAULT.withCount(workers),
        Map.of("KEY", "value"),
        Map.of(),
        "alice",
        RunOptions.DEFAULT,
        Map.of());
  }
}
