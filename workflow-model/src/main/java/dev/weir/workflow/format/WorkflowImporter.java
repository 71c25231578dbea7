package dev.weir.workflow.format;

import dev.weir.workflow.model.WorkflowException;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Reads workflow files of one format. An importer reads the given file. If its format has catalogs
 * or argument files next to the workflow, it also reads those in the same directory.
 *
 * @param format the name of the format on the command line: one word in lower case
 * @param description the name of the format in messages, with its versions
 * @param content whether the text of a file looks like this format. The check is cheap and accepts
 *     broken files, so that the user gets the errors of the right format.
 * @param endings how the names of files in this format usually end, in lower case
 * @param reader thread-safe
 */
public record WorkflowImporter(
    String format,
    String description,
    Predicate<WorkflowSource> content,
    List<String> endings,
    Reader reader) {
  /** Copies the list. */
  public WorkflowImporter {
    endings = List.copyOf(endings);
  }

  /** Reads workflow files. */
  @FunctionalInterface
  public interface Reader {
    /**
     * Reads a workflow.
     *
     * @return the workflow, ready to run, and warnings
     * @throws WorkflowException if the workflow is invalid; the message names file, place and
     *     remedy
     */
    ImportedWorkflow read(WorkflowSource source) throws WorkflowException;
  }

  /**
   * Returns whether files with this name are usually in this format.
   *
   * @param fileName the last component of its path
   */
  public boolean fitsName(String fileName) {
    String lower = fileName.toLowerCase(Locale.ROOT);
    return endings.stream().anyMatch(lower::endsWith);
  }

  /** Reads a workflow as {@link Reader} does. */
  public ImportedWorkflow read(WorkflowSource source) throws WorkflowException {
    return reader.read(source);
  }
}
