package dev.weir.workflow.format;

import dev.weir.workflow.model.Workflow;
import java.util.List;

/**
 * What came of reading a workflow file.
 *
 * @param workflow the workflow, ready to run
 * @param format the format it was read as, see {@link WorkflowImporter#format}
 * @param warnings what was passed over or taken for granted, each a line for people
 */
public record ImportedWorkflow(Workflow workflow, String format, List<String> warnings) {

  /** Copies. */
  public ImportedWorkflow {
    warnings = List.copyOf(warnings);
  }
}
