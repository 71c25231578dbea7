package dev.weir.workflow.provenance;

import java.util.List;

/**
 * A task of a run.
 *
 * @param id unique in the run
 * @param type what kind of task it is
 * @param command the program and its arguments; empty when there is none
 * @param inputs ids of the files that it reads
 * @param outputs ids of the files that it writes
 * @param after ids of tasks that end before it although no file passes between them
 * @param cores how many cores it declares; 0 for none
 * @param memoryBytes how much memory it declares; 0 for none
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

  /** Most characters of a command with all its arguments. */
  static final int COMMAND = 1_000_000;

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when something is missing or cannot be
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
      ValueChecks.requireStorable("command", argument, COMMAND);
      length += argument.length();
    }
    if (length > COMMAND) {
      throw new IllegalArgumentException(
          "the command of '" + id + "' has " + length + " characters; write at most " + COMMAND);
    }
    inputs.forEach(FileEntry::requireId);
    outputs.forEach(FileEntry::requireId);
    after.forEach(task -> ValueChecks.require("after", task, ValueChecks.NAME));
    ValueChecks.requireCount("cores", cores);
    ValueChecks.requireCount("memory-bytes", memoryBytes);
  }
}
