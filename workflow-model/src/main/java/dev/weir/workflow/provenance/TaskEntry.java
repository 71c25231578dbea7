package dev.weir.workflow.provenance;

import java.util.List;

/**
 * A task of a run.
 *
 * @param id unique in the run
 * @param command the program and its arguments; empty when there is none
 * @param inputs ids of the files that it reads
 * @param outputs ids of the files that it writes
 * @param after ids of tasks that must end before it although they pass it no file
 * @param cores cores that it declares; 0 for none
 * @param memoryBytes memory that it declares; 0 for none
 */
public record TaskEntry(
    String id,
    String type,
    List<String> command,
    List<String> inputs,
    List<String> outputs,
    List<String> after,
    int cores,
    long memoryBytes) {

  /** The most characters of a command with all its arguments. */
  static final int MAX_COMMAND_LENGTH = 1_000_000;

  /**
   * Validates the components and copies the lists.
   *
   * @throws IllegalArgumentException if a component is missing or invalid
   */
  public TaskEntry {
    ValueChecks.require("id of a task", id, ValueChecks.NAME);
    ValueChecks.require("type", type, ValueChecks.NAME);
    command = ValueChecks.listOf(command);
    inputs = ValueChecks.listOf(inputs);
    outputs = ValueChecks.listOf(outputs);
    after = ValueChecks.listOf(after);
    int length = 0;
    for (String argument : command) {
      ValueChecks.requireStorable("command", argument, MAX_COMMAND_LENGTH);
      length += argument.length();
    }
    if (length > MAX_COMMAND_LENGTH) {
      throw new IllegalArgumentException(
          "the command of '"
              + id
              + "' has "
              + length
              + " characters; write at most "
              + MAX_COMMAND_LENGTH);
    }
    inputs.forEach(FileEntry::requireId);
    outputs.forEach(FileEntry::requireId);
    after.forEach(task -> ValueChecks.require("after", task, ValueChecks.NAME));
    ValueChecks.requireCount("cores", cores);
    ValueChecks.requireCount("memory-bytes", memoryBytes);
  }
}
