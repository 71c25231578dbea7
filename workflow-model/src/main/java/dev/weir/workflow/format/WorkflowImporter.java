package dev.weir.workflow.format;

import dev.weir.workflow.model.WorkflowException;

/**
 * Reads workflow files of one format. Importers are stateless and thread-safe. An importer reads
 * the given file. If its format has catalogs or argument files next to the workflow, it also reads
 * those in the same directory.
 */
public interface WorkflowImporter {

  /** Returns the name of the format on the command line: one word in lower case. */
  String format();

  /** Returns the name of the format in messages, with its versions. */
  String description();

  /**
   * Returns whether the text of a file looks like this format. The check is cheap and accepts
   * broken files, so that the user gets the errors of the right format.
   */
  boolean fitsContent(WorkflowSource source);

  /**
   * Returns whether files with this name are usually in this format.
   *
   * @param fileName the last component of its path
   */
  boolean fitsName(String fileName);

  /**
   * Reads a workflow.
   *
   * @return the workflow, ready to run, and warnings
   * @throws WorkflowException if the workflow is invalid; the message names file, place and remedy
   */
  ImportedWorkflow read(WorkflowSource source) throws WorkflowException;
}
