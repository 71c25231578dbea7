package dev.weir.workflow.format;

import dev.weir.workflow.model.Workflow;
import java.util.List;

/**
 * The result of importing a workflow file.
 *
 * @param workflow the workflow, ready to run
 * @param format the format it was read as, see {@link WorkflowImporter#format}
 * @param warnings parts that were ignored and assumptions that were made, one line each
 */
public record ImportedWorkflow(Workflow workflow, String format, List<String> warnings) {

  /** How the warning about files of unknown size begins. */
  static final String UNKNOWN_SIZES = "the sizes of ";

  /** Copies the list. */
  public ImportedWorkflow {
    warnings = List.copyOf(warnings);
  }

  /** Returns the warnings that matter if the commands run: they make files of the true sizes. */
  public List<String> warningsOfRun() {
    return warnings.stream().filter(warning -> !warning.startsWith(UNKNOWN_SIZES)).toList();
  }
}
