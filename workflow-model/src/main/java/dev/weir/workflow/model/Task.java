package dev.weir.workflow.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A task of a workflow: a process that reads and writes declared files.
 *
 * @param id unique in its workflow
 * @param type its type, which tasks with the same program share
 * @param command the program and its arguments; empty if undeclared, so that only a stand-in can
 *     run it
 * @param inputs ids of the files it reads, each once; the constructor replaces the name of a
 *     {@linkplain FileRegion region} by the file, and adds it to the regions
 * @param outputs ids of the files, and names of the regions of files, that it writes, each once
 * @param after ids of tasks that must end first although no file passes between them
 * @param runtimeSeconds how long it computes, in seconds, as recorded or estimated; 0 when unknown
 * @param needs its declared resources; the constructor adds the file of its image to the inputs
 * @param regions regions that it reads of inputs that it does not read whole
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
   * Validates the components and copies the lists.
   *
   * @throws IllegalArgumentException if the id or the type is unusable, a name is listed twice, a
   *     file is read whole and in regions, or the runtime is not a number of seconds
   */
  public Task {
    requireUsableId(id);
    if (type.isBlank()) {
      throw new IllegalArgumentException("Task '" + id + "' has a blank type: name its program");
    }
    command = List.copyOf(command);
    inputs = distinct(id, "input", withImage(inputs, needs));
    outputs = distinct(id, "output", outputs);
    if (!joins(command, inputs, outputs)) {
      regions = addRegions(inputs, regions);
      inputs = wholeFiles(id, inputs, regions);
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

  /** Creates a task that is ordered by its files only. */
  public Task(
      String id,
      String type,
      List<String> command,
      List<String> inputs,
      List<String> outputs,
      double runtimeSeconds) {
    this(id, type, command, inputs, outputs, List.of(), runtimeSeconds);
  }

  /** Creates a task without declared needs. */
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

  /** Creates a task whose inputs are files or names of regions. */
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

  /** Returns a copy with other needs. */
  public Task withNeeds(TaskNeeds other) {
    return new Task(id, type, command, inputs, outputs, after, runtimeSeconds, other, regions);
  }

  /** Returns whether it joins the regions of a file. Such a task has no command. */
  public boolean joinsRegions() {
    return joins(command, inputs, outputs);
  }

  /** Returns its inputs; those that it reads in regions are replaced by the regions. */
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
   * Returns the regions that it reads of a file.
   *
   * @param file id of one of its inputs
   * @return the regions; empty if it reads the whole file
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

  private static List<FileRegion> addRegions(List<String> inputs, List<FileRegion> regions) {
    Set<FileRegion> all = new LinkedHashSet<>(regions);
    inputs.forEach(input -> FileRegion.parse(input).ifPresent(all::add));
    return List.copyOf(all);
  }

  private static List<String> wholeFiles(String id, List<String> inputs, List<FileRegion> regions) {
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

  private static List<String> withImage(List<String> inputs, TaskNeeds needs) {
    String image = needs.imageFile().orElse("");
    if (image.isEmpty() || inputs.contains(image)) {
      return inputs;
    }
    List<String> all = new ArrayList<>(inputs);
    all.add(image);
    return all;
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
