package dev.weir.workflow.imports;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.Expansion;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces tasks that stand for sub-workflows by the tasks of these, if their files exist beside
 * the file that is read. Sub-workflows that a task makes remain for the run.
 */
final class SubWorkflowExpander {

  private final Importers importers;

  SubWorkflowExpander(Importers importers) {
    this.importers = importers;
  }

  /**
   * Expands a workflow.
   *
   * @param depth how many workflows it is inside of
   * @throws WorkflowException if a sub-workflow is invalid
   */
  ImportedWorkflow expand(WorkflowSource source, ImportedWorkflow read, int depth)
      throws WorkflowException {
    Workflow workflow = read.workflow();
    Set<String> made = new HashSet<>();
    workflow.tasks().forEach(task -> made.addAll(task.outputs()));
    Set<String> warnings = new LinkedHashSet<>(read.warnings());
    for (Task task : read.workflow().tasks()) {
      Optional<SubWorkflow> sub = valid(source, task);
      Optional<Path> file =
          sub.filter(one -> !made.contains(one.file())).flatMap(one -> beside(source, one.file()));
      if (sub.isPresent() && file.isPresent()) {
        if (depth == SubWorkflow.MAX_DEPTH) {
          throw problem(
              source,
              "the task '" + task.id() + "' stands for a workflow inside of " + depth + " others",
              "let no workflow contain itself");
        }
        ImportSettings settings =
            new ImportSettings(source.settings().environment(), sub.get().definitions(), null);
        ImportedWorkflow inner = importers.read(file.get(), settings, depth + 1);
        inner.warnings().forEach(warning -> warnings.add(file.get() + ": " + warning));
        workflow = inlined(source, workflow, task, inner.workflow());
      }
    }
    return new ImportedWorkflow(workflow, read.format(), warnings.stream().toList());
  }

  private static Optional<SubWorkflow> valid(WorkflowSource source, Task task)
      throws WorkflowException {
    try {
      Optional<SubWorkflow> sub = SubWorkflow.of(task.command());
      if (sub.isPresent() && !task.inputs().contains(sub.get().file())) {
        throw problem(
            source,
            "the task '" + task.id() + "' does not read its workflow '" + sub.get().file() + "'",
            "add the file to its inputs");
      }
      if (sub.isPresent() && sub.get().expanded() && !task.outputs().isEmpty()) {
        throw problem(
            source,
            "the task '" + task.id() + "' stands for a workflow that has been expanded already",
            "remove 'expanded' from its command");
      }
      return sub;
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(), "", String.valueOf(e.getMessage()), "correct the task " + task.id(), e);
    }
  }

  private static Optional<Path> beside(WorkflowSource source, String file) {
    try {
      return source.beside(file).filter(Files::isRegularFile);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Workflow inlined(
      WorkflowSource source, Workflow workflow, Task task, Workflow inner)
      throws WorkflowException {
    try {
      return Expansion.inline(workflow, task, Expansion.scoped(task, inner));
    } catch (InvalidWorkflowException e) {
      throw problem(
          source, "the sub-workflow of the task '" + task.id() + "': " + e.problem(), e.remedy());
    }
  }

  private static WorkflowException problem(WorkflowSource source, String problem, String remedy) {
    return new WorkflowException(source.name(), "", problem, remedy, /* cause= */ null);
  }
}
