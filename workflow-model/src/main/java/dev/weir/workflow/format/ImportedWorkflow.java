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

  /** Copies the list. */
  public ImportedWorkflow {
    warnings = List.copyOf(warnings);
  }
}
