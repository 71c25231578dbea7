package dev.weir.workflow.format;

import dev.weir.workflow.model.WorkflowException;

/**
 * Reads workflow files of one format. An importer holds no state: one may serve any number of
 * threads. It reads the file that it is given and, where its format has catalogs or argument files
 * beside the workflow, those in the same directory; nothing else.
 */
public interface WorkflowImporter {

  /** What the format is called on a command line: lower case, one word. */
  String format();

  /** What the format is called in a sentence, with its versions. */
  String description();

  /**
   * Whether a file looks like this format, by a cheap look at its text. Broken files should still
   * be known for what they were meant to be, so that the error is the right one.
   *
   * @param source the file
   */
  boolean fitsContent(WorkflowSource source);

  /**
   * Whether a file of this name is usually of this format.
   *
   * @param fileName the last component of its path
   */
  boolean fitsName(String fileName);

  /**
   * Reads a workflow.
   *
   * @param source the file
   * @return the workflow, ready to run, and what was passed over
   * @throws WorkflowException when what it says cannot be run; it names file, place and remedy
   */
  ImportedWorkflow read(WorkflowSource source) throws WorkflowException;
}
