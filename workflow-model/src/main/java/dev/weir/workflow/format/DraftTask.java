package dev.weir.workflow.format;

import dev.weir.workflow.model.TaskNeeds;
import java.util.List;
import java.util.Map;

/**
 * A task as a workflow file tells it.
 *
 * @param id its id; empty for one of the form {@code type-number}
 * @param type what kind of task it is
 * @param command the program and its arguments; empty when the file says none
 * @param files what it reads and writes
 * @param needs what it wants of a machine
 * @param runtimeSeconds how long it computes; 0 when unknown
 * @param place where it begins
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
   * @param inputs what it reads; the same file twice counts once
   * @param outputs what it writes; the same file twice counts once
   * @param hints hints for outputs, by the name as written
   */
  public record Files(
      List<FileMention> inputs, List<FileMention> outputs, Map<String, String> hints) {

    /** Copies. */
    public Files {
      inputs = List.copyOf(inputs);
      outputs = List.copyOf(outputs);
      hints = Map.copyOf(hints);
    }

    /** Files without hints. */
    public Files(List<FileMention> inputs, List<FileMention> outputs) {
      this(inputs, outputs, Map.of());
    }
  }

  /** Copies. */
  public DraftTask {
    command = List.copyOf(command);
  }
}
