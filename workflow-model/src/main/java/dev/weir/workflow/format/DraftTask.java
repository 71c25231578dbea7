package dev.weir.workflow.format;

import dev.weir.workflow.model.TaskNeeds;
import java.util.List;
import java.util.Map;

/**
 * A task as a workflow file describes it.
 *
 * @param id its id; if empty, an id of the form {@code type-number} is generated
 * @param command the program and its arguments; empty if the file has none
 * @param files files that it reads and writes
 * @param needs its declared resources
 * @param runtimeSeconds its runtime; 0 if unknown
 * @param place its start in the file
 */
public record DraftTask(
    String id,
    String type,
    List<String> command,
    Files files,
    TaskNeeds needs,
    double runtimeSeconds,
    TextPlace place) {

  /**
   * The files of a task.
   *
   * @param inputs files that it reads; duplicates count once
   * @param outputs files that it writes; duplicates count once
   * @param hints hints for outputs, by the name as written
   */
  public record Files(
      List<FileMention> inputs, List<FileMention> outputs, Map<String, String> hints) {

    /** Copies the collections. */
    public Files {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
      hints = Map.copyOf(hints);
    }
  }

  /** Copies the command. */
  public DraftTask {
    command = List.copyOf(command);
  }
}
