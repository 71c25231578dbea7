package dev.weir.bench.workload;

import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Workflows without declared sizes, as Makeflow's are: the size of each file is unknown. Files of
 * which tasks read or write regions keep their size, which follows from the regions.
 */
public final class WithheldSizes {
  private WithheldSizes() {}

  /** Returns a workflow whose commands do the same, with assumed sizes. */
  public static Workflow of(Workflow workflow) {
    return new Workflow(workflow.name(), workflow.tasks(), assumed(workflow));
  }

  /**
   * Returns the workflow with commands that do what stand-ins do, with assumed sizes. Stand-ins
   * could not know which sizes to write.
   */
  public static Workflow ofStandIns(Workflow workflow) {
    return new Workflow(
        workflow.name(),
        workflow.tasks().stream().map(task -> commanded(task, workflow)).toList(),
        assumed(workflow));
  }

  private static Map<String, DataFile> assumed(Workflow workflow) {
    Set<String> inRegions = new HashSet<>();
    for (Task task : workflow.tasks()) {
      task.regions().forEach(region -> inRegions.add(region.file()));
      for (String output : task.outputs()) {
        FileRegion.parse(output).ifPresent(region -> inRegions.add(region.file()));
      }
      if (task.joinsRegions()) {
        inRegions.addAll(task.outputs());
      }
    }
    Map<String, DataFile> files = new LinkedHashMap<>();
    workflow
        .files()
        .forEach(
            (id, file) ->
                files.put(
                    id,
                    inRegions.contains(id) || FileRegion.parse(id).isPresent()
                        ? file
                        : DataFile.ofUnknownSize(id, file.hint())));
    return files;
  }

  private static Task commanded(Task task, Workflow workflow) {
    if (task.joinsRegions()) {
      return task;
    }
    StringBuilder script = new StringBuilder("set -e");
    for (String input : task.mentionedInputs()) {
      script.append("; cat ").append(ShellCommand.quote(input)).append(" > /dev/null");
    }
    script.append(String.format(Locale.ROOT, "; sleep %.3f", task.runtimeSeconds()));
    for (String output : task.outputs()) {
      script
          .append("; head -c ")
          .append(workflow.graph().file(output).sizeBytes())
          .append(" /dev/urandom > ")
          .append(ShellCommand.quote(output));
    }
    return new Task(
        task.id(),
        task.type(),
        List.of("bash", "-c", script.toString()),
        task.inputs(),
        task.outputs(),
        task.after(),
        task.runtimeSeconds(),
        task.needs(),
        task.regions());
  }
}
