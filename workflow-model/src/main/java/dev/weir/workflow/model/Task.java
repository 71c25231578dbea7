package dev.weir.workflow.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A task of a workflow: one process that reads declared files and writes declared files.
 *
 * @param id unique in its workflow
 * @param type what kind of task it is; tasks that run the same program share it
 * @param command the program and its arguments; empty when the workflow says none (only a stand-in
 *     can run it then)
 * @param inputs ids of the files it reads, each once; given the name of a {@linkplain FileRegion
 *     region}, it is that of the file, and the region is among the regions
 * @param outputs ids of the files, and names of the regions of files, that it writes, each once
 * @param after ids of tasks that must end first although no file passes between them
 * @param runtimeSeconds how long it computes, in seconds, as recorded or estimated; 0 when unknown
 * @param needs what it wants of the machine that it runs on, as declared
 * @param regions what it reads of those inputs that it does not read whole
 */
public record Task(
    String id,
    String type,
    List<String> command,
    List<String> inputs,
    List<String> outputs,
    List<String> after,
    double runtimeSeconds,
    TaskNeeds needs,
    List<FileRegion> regions) {

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when the id or the type is unusable, a name is listed twice, a
   *     file is read whole and in regions, or the runtime is not a number of seconds
   */
  public Task {
    requireUsableId(id);
    if (type.isBlank()) {
      throw new IllegalArgumentException("Task '" + id + "' has a blank type: name its program");
    }
    command = List.copyOf(command);
    inputs = distinct(id, "input", inputs);
    outputs = distinct(id, "output", outputs);
    if (!joins(command, inputs, outputs)) {
      regions = withThoseOf(inputs, regions);
      inputs = wholes(id, inputs, regions);
    }
    regions = List.copyOf(regions);
    after = distinct(id, "predecessor", after);
    needs = needs.equals(TaskNeeds.UNKNOWN) ? TaskNeeds.UNKNOWN : needs;
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

  /**
   * A task that reads its inputs whole, or names the regions among them.
   *
   * @param id unique in its workflow
   * @param type what kind of task it is
   * @param command the program and its arguments, may be empty
   * @param inputs ids of files and names of regions that it reads
   * @param outputs ids of files and names of regions that it writes
   * @param after ids of tasks that must end first
   * @param runtimeSeconds how long it computes, in seconds
   * @param needs what it wants of the machine that it runs on
   */
  public Task(
      String id,
      String type,
      List<String> command,
      List<String> inputs,
      List<String> outputs,
      List<String> after,
      double runtimeSeconds,
      TaskNeeds needs) {
    this(id, type, command, inputs, outputs, after, runtimeSeconds, needs, List.of());
  }

  /**
   * The same task with other needs.
   *
   * @param other what it wants of the machine that it runs on
   * @return the task
   */
  public Task withNeeds(TaskNeeds other) {
    return new Task(id, type, command, inputs, outputs, after, runtimeSeconds, other, regions);
  }

  /**
   * Whether it makes a file of its regions, which others have written; it has no command then.
   *
   * @return whether
   */
  public boolean joinsRegions() {
    return joins(command, inputs, outputs);
  }

  /**
   * What it reads, as workflows name it.
   *
   * @return the inputs, with those of which it reads regions replaced by these
   */
  public List<String> mentionedInputs() {
    if (regions.isEmpty()) {
      return inputs;
    }
    List<String> names = new ArrayList<>();
    for (String input : inputs) {
      List<FileRegion> parts = regionsOf(input);
      if (parts.isEmpty()) {
        names.add(input);
      }
      parts.forEach(part -> names.add(part.id()));
    }
    return List.copyOf(names);
  }

  /**
   * What it reads of a file.
   *
   * @param file id of one of its inputs
   * @return the regions; none when it reads all of it
   */
  public List<FileRegion> regionsOf(String file) {
    return regions.isEmpty()
        ? List.of()
        : regions.stream().filter(region -> region.file().equals(file)).toList();
  }

  private static boolean joins(List<String> command, List<String> inputs, List<String> outputs) {
    return command.isEmpty()
        && outputs.size() == 1
        && !inputs.isEmpty()
        && inputs.stream()
            .allMatch(
                input -> {
                  String file = FileRegion.fileOf(input);
                  return file.equals(outputs.get(0)) && !file.equals(input);
                });
  }

  private static List<FileRegion> withThoseOf(List<String> inputs, List<FileRegion> regions) {
    Set<FileRegion> all = new LinkedHashSet<>(regions);
    inputs.forEach(input -> FileRegion.parse(input).ifPresent(all::add));
    return List.copyOf(all);
  }

  private static List<String> wholes(String id, List<String> inputs, List<FileRegion> regions) {
    if (regions.isEmpty()) {
      return inputs;
    }
    Set<String> files = new LinkedHashSet<>();
    boolean mentionsRegions = false;
    for (String input : inputs) {
      mentionsRegions |= FileRegion.parse(input).isPresent();
      files.add(FileRegion.fileOf(input));
    }
    for (FileRegion region : regions) {
      if (mentionsRegions && inputs.contains(region.file())) {
        throw new IllegalArgumentException(
            "Task '"
                + id
                + "' reads the file '"
                + region.file()
                + "' whole and the region '"
                + region.id()
                + "' of it: list one of the two");
      }
      files.add(region.file());
    }
    return List.copyOf(files);
  }

  private static void requireUsableId(String id) {
    boolean usable =
        !id.isBlank()
            && !id.equals(".")
            && !id.equals("..")
            && PlainText.problem(id).isEmpty()
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
