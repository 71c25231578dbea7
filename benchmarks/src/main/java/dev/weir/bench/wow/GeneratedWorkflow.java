package dev.weir.bench.wow;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A generated workflow of WOW's evaluation. Its tasks are calls of WfBench, which state an amount
 * of work and no seconds.
 *
 * @param name short, such as {@code montage}
 * @param workflow with computed seconds, and without declared needs, because one task at a time has
 *     a node to itself
 */
record GeneratedWorkflow(String name, Workflow workflow) {
  private static final Pattern FILE = Pattern.compile("synthetic_([a-z0-9]+)_.*\\.json");
  private static final Pattern WORK = Pattern.compile("--cpu-work (\\d+)");

  /**
   * Seconds of a unit of WfBench's work, a million random points. Measured with its loop on a
   * processor of 2.6 GHz.
   */
  private static final double SECONDS_PER_UNIT = 0.005;

  /**
   * Reads the generated workflows in a directory tree, in order of their names.
   *
   * @throws IllegalArgumentException if there are none; the message has the remedy
   * @throws IOException if one cannot be read
   */
  static List<GeneratedWorkflow> below(Path directory) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.walk(directory)) {
      found =
          all.filter(file -> FILE.matcher(String.valueOf(file.getFileName())).matches())
              .sorted()
              .toList();
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          directory
              + " contains no synthetic_NAME_*.json: give a clone of"
              + " https://github.com/WOW-WorkflowScheduler/Experiments");
    }
    List<GeneratedWorkflow> workflows = new ArrayList<>();
    for (Path file : found) {
      workflows.add(read(file));
    }
    return workflows;
  }

  private static GeneratedWorkflow read(Path file) throws IOException {
    Matcher name = FILE.matcher(String.valueOf(file.getFileName()));
    if (!name.matches()) {
      throw new IllegalArgumentException("Not a generated workflow: " + file);
    }
    Workflow read = Importers.standard().read(file, ImportSettings.NONE).workflow();
    return new GeneratedWorkflow(
        name.group(1),
        new Workflow(
            name.group(1),
            read.tasks().stream().map(GeneratedWorkflow::timed).toList(),
            read.files()));
  }

  private static Task timed(Task task) {
    return new Task(
        task.id(), task.type(), List.of(), task.inputs(), task.outputs(), seconds(task.command()));
  }

  /** Returns the seconds of the work that a call of WfBench states; 0 if it states none. */
  static double seconds(List<String> command) {
    Matcher work = WORK.matcher(String.join(" ", command));
    return work.find() ? Integer.parseInt(work.group(1)) * SECONDS_PER_UNIT : 0;
  }
}
