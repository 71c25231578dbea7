package dev.weir.workflow.model;

import java.util.HashSet;
import java.util.List;

/**
 * A task of a workflow: one process that reads declared files and writes declared files.
 *
 * @param id unique in its workflow
 * @param type what kind of task it is; tasks that run the same program share it
 * @param command the program and its arguments; empty when the workflow says none (only a stand-in
 *     can run it then)
 * @param inputs ids of the files it reads, each once
 * @param outputs ids of the files it writes, each once
 * @param after ids of tasks that must end first although no file passes between them
 * @param runtimeSeconds how long it computes, in seconds, as recorded or estimated; 0 when unknown
 * @param needs what it wants of the machine that it runs on, as declared
 */
public record Task(
    String id,
    String type,
    List<String> command,
    List<String> inputs,
    List<String> outputs,
    List<String> after,
    double runtimeSeconds,
    TaskNeeds needs) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when the id or the type is unusable, a name is listed twice or
   *     the runtime is not a number of seconds
   */
  public Task {
    requireUsableId(id);
    if (type.isBlank()) {
      throw new IllegalArgumentException("Task '" + id + "' has a blank type: name its program");
    }
    command = List.copyOf(command);
    inputs = distinct(id, "input", inputs);
    outputs = distinct(id, "output", outputs);
    after = distinct(id, "predecessor", after);
    if (!Double.isFinite(runtimeSeconds) || runtimeSeconds < 0) {
      throw new IllegalArgumentException(
          "Task '"
              + id
              + "' has the runtime "
              + runtimeSeconds
              + ": give seconds, 0 or more (0 = unknown)");
    }
  }

  /**
   * A task that is ordered by its files alone.
   *
   * @param id unique in its workflow
   * @param type what kind of task it is
   * @param command the program and its arguments, may be empty
   * @param inputs ids of the files it reads
   * @param outputs ids of the files it writes
   * @param runtimeSeconds how long it computes, in seconds
   */
  public Task(
      String id,
      String type,
      List<String> command,
      List<String> inputs,
      List<String> outputs,
      double runtimeSeconds) {
    this(id, type, command, inputs, outputs, List.of(), runtimeSeconds);
  }

  /**
   * A task that declares no needs.
   *
   * @param id unique in its workflow
   * @param type what kind of task it is
   * @param command the program and its arguments, may be empty
   * @param inputs ids of the files it reads
   * @param outputs ids of the files it writes
   * @param after ids of tasks that must end first
   * @param runtimeSeconds how long it computes, in seconds
   */
  public Task(
      String id,
      String type,
      List<String> command,
      List<String> inputs,
      List<String> outputs,
      List<String> after,
      double runtimeSeconds) {
    this(id, type, command, inputs, outputs, after, runtimeSeconds, TaskNeeds.UNKNOWN);
  }

  private static void requireUsableId(String id) {
    boolean usable =
        !id.isBlank()
            && !id.equals(".")
            && !id.equals("..")
            && id.chars().noneMatch(c -> c == '/' || Character.isISOControl(c));
    if (!usable) {
      throw new IllegalArgumentException(
          "Task id '"
              + id
              + "' cannot be a file name: use letters, digits, '-', '_' and '.', and not '..'");
    }
  }

  private static List<String> distinct(String task, String what, List<String> names) {
    List<String> copy = List.copyOf(names);
    HashSet<String> seen = new HashSet<>();
    for (String name : copy) {
      if (!seen.add(name)) {
        throw new IllegalArgumentException(
            "Task '" + task + "' lists the " + what + " '" + name + "' twice: list it once");
      }
    }
    return copy;
  }
}
