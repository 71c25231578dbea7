package dev.weir.workflow.delivery;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Expansion;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.staging.RunPlan;
import java.util.List;
import java.util.Map;

/**
 * The tasks and files of a run, as they are reported to the hints service. Two tasks may write the
 * same file, one after the other.
 *
 * @param mode label of the mode
 * @param dataDir absolute path of the directory below which all files are
 * @param standIn whether the tasks are stand-ins for others
 */
public record RunOutline(
    String workflow,
    String mode,
    String dataDir,
    boolean standIn,
    List<Task> tasks,
    Map<String, DataFile> files) {

  public RunOutline {
    tasks = List.copyOf(tasks);
    files = Map.copyOf(files);
  }

  /**
   * The outline of a workflow's run. Tasks that stand for sub-workflows make no files in it,
   * because a task is reported once, and the tasks that make them are reported later.
   */
  public static RunOutline of(RunPlan plan) {
    return new RunOutline(
        plan.workflow().name(),
        plan.mode().label(),
        plan.dataDir(),
        plan.standIn(),
        plan.workflow().tasks().stream()
            .map(
                task -> SubWorkflow.is(task.command()) ? Expansion.expanded(task, List.of()) : task)
            .toList(),
        plan.workflow().files());
  }
}
