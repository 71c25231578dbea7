package dev.weir.workflow.model;

import dev.weir.workflow.model.InvalidWorkflowException.Part;
import dev.weir.workflow.model.InvalidWorkflowException.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks that the parts of a workflow are consistent. Each kind of problem has its own pass. */
final class WorkflowCheck {

  /** The path component that HDFS reserves for snapshots. */
  private static final String SNAPSHOTS = ".snapshot";

  private static final Pattern SLASH = Pattern.compile("/");

  private final List<Task> tasks;
  private final Map<String, DataFile> files;
  private final Map<String, Integer> indexOf = new HashMap<>();
  private final Map<String, Integer> producerOf = new HashMap<>();

  private WorkflowCheck(List<Task> tasks, Map<String, DataFile> files) {
    this.tasks = tasks;
    this.files = files;
  }

  static void check(String name, List<Task> tasks, Map<String, DataFile> files) {
    if (name.isBlank()) {
      throw new InvalidWorkflowException(null, "the workflow has no name", "give it a name");
    }
    PlainText.problem(name)
        .ifPresent(
            problem -> {
              throw new InvalidWorkflowException(
                  null, "the workflow's name " + problem, "give it another name");
            });
    if (tasks.isEmpty()) {
      throw new InvalidWorkflowException(
          null, "the workflow '" + name + "' has no tasks", "list at least one");
    }
    WorkflowCheck check = new WorkflowCheck(tasks, files);
    check.filesMatchTheirKeys();
    check.bytesCanBeCounted();
    check.taskIdsAreUnique();
    check.filesAreDeclared();
    check.outputsAreWritable();
    check.regionsAreInTheirFiles();
    check.filesHaveOneProducer();
    check.noFileIsADirectory();
    check.predecessorsExist();
    check.noCycle();
  }

  private void filesMatchTheirKeys() {
    files.forEach(
        (id, file) -> {
          if (!id.equals(file.id())) {
            throw new InvalidWorkflowException(
                null,
                "the file '" + file.id() + "' has the key '" + id + "'",
                "use its id as the key");
          }
        });
  }

  /** Checks that the sum of all sizes does not overflow, because schedulers add up sizes. */
  private void bytesCanBeCounted() {
    long sum = 0;
    DataFile largest = null;
    for (DataFile file : files.values()) {
      sum += file.sizeBytes();
      if (largest == null || file.sizeBytes() > largest.sizeBytes()) {
        largest = file;
      }
      if (sum < 0) {
        throw new InvalidWorkflowException(
            null,
            "the total size of the files overflows, "
                + largest.sizeBytes()
                + " of them '"
                + largest.id()
                + "'",
            "correct its size");
      }
    }
  }

  private void taskIdsAreUnique() {
    for (int i = 0; i < tasks.size(); i++) {
      String id = tasks.get(i).id();
      Integer first = indexOf.putIfAbsent(id, i);
      if (first != null) {
        throw new InvalidWorkflowException(
            new Place(i, Part.TASK, id),
            "the task id '" + id + "' is used a second time (first by task number " + first + ")",
            "give each task an id of its own");
      }
    }
  }

  private void filesAreDeclared() {
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      requireDeclared(i, Part.INPUTS, task.id() + "' reads", task.inputs());
      requireDeclared(i, Part.OUTPUTS, task.id() + "' writes", task.outputs());
    }
  }

  private void requireDeclared(int task, Part part, String who, List<String> ids) {
    for (String id : ids) {
      if (!files.containsKey(id)) {
        throw new InvalidWorkflowException(
            new Place(task, part, id),
            "the task '" + who + " the file '" + id + "', whose size is not declared",
            "declare the file with its size in bytes");
      }
    }
  }

  /** Refuses outputs in snapshots, which are read-only. */
  private void outputsAreWritable() {
    for (int i = 0; i < tasks.size(); i++) {
      for (String output : tasks.get(i).outputs()) {
        if (output.contains(SNAPSHOTS) && SLASH.splitAsStream(output).anyMatch(SNAPSHOTS::equals)) {
          throw new InvalidWorkflowException(
              new Place(i, Part.OUTPUTS, output),
              "the task '"
                  + tasks.get(i).id()
                  + "' writes the file '"
                  + output
                  + "', and HDFS reserves the name '"
                  + SNAPSHOTS
                  + "' for its snapshots, which are read-only",
              "rename the file or its directory");
        }
      }
    }
  }

  private void regionsAreInTheirFiles() {
    for (int i = 0; i < tasks.size(); i++) {
      for (FileRegion region : tasks.get(i).regions()) {
        DataFile file = files.get(region.file());
        if (file != null && region.end() > file.sizeBytes()) {
          throw new InvalidWorkflowException(
              new Place(i, Part.INPUTS, region.file()),
              "the task '"
                  + tasks.get(i).id()
                  + "' reads the region '"
                  + region.id()
                  + "' of a file of "
                  + file.sizeBytes()
                  + " bytes",
              "write a region that ends where the file does, or correct the file's size");
        }
      }
    }
  }

  private void filesHaveOneProducer() {
    for (int i = 0; i < tasks.size(); i++) {
      Task task = tasks.get(i);
      for (String output : task.outputs()) {
        if (task.inputs().contains(output)) {
          throw new InvalidWorkflowException(
              new Place(i, Part.OUTPUTS, output),
              "the task '" + task.id() + "' both reads and writes the file '" + output + "'",
              "give the output another name");
        }
        Integer other = producerOf.putIfAbsent(output, i);
        if (other != null) {
          throw new InvalidWorkflowException(
              new Place(i, Part.OUTPUTS, output),
              "the file '"
                  + output
                  + "' is written by two tasks, '"
                  + tasks.get(other).id()
                  + "' and '"
                  + task.id()
                  + "'",
              "let one of them write another file");
        }
      }
    }
  }

  private void noFileIsADirectory() {
    TreeSet<String> used = new TreeSet<>(files.keySet());
    for (String id : used) {
      String below = used.ceiling(id + "/");
      if (below != null && below.startsWith(id + "/")) {
        throw new InvalidWorkflowException(
            null,
            "the file '" + id + "' is also a directory: '" + below + "' is in it",
            "rename one of the two");
      }
    }
  }

  private void predecessorsExist() {
    for (int i = 0; i < tasks.size(); i++) {
      for (String before : tasks.get(i).after()) {
        if (!indexOf.containsKey(before)) {
          throw new InvalidWorkflowException(
              new Place(i, Part.AFTER, before),
              "the task '"
                  + tasks.get(i).id()
                  + "' comes after '"
                  + before
                  + "', which is not a task",
              "name a task of this workflow, or remove it");
        }
      }
    }
  }

  /** Removes tasks without remaining predecessors. Tasks that remain contain a cycle. */
  private void noCycle() {
    List<Set<Integer>> parents = new ArrayList<>();
    List<List<Integer>> children = new ArrayList<>();
    tasks.forEach(task -> children.add(new ArrayList<>()));
    for (int i = 0; i < tasks.size(); i++) {
      Set<Integer> before = parentsOf(tasks.get(i));
      parents.add(before);
      for (int parent : before) {
        children.get(parent).add(i);
      }
    }
    int[] missing = parents.stream().mapToInt(Set::size).toArray();
    Deque<Integer> free = new ArrayDeque<>();
    for (int i = 0; i < missing.length; i++) {
      if (missing[i] == 0) {
        free.add(i);
      }
    }
    while (!free.isEmpty()) {
      for (int child : children.get(free.remove())) {
        missing[child]--;
        if (missing[child] == 0) {
          free.add(child);
        }
      }
    }
    for (int i = 0; i < missing.length; i++) {
      if (missing[i] > 0) {
        throw cycleThrough(i, parents, missing);
      }
    }
  }

  private Set<Integer> parentsOf(Task task) {
    Set<Integer> before = new HashSet<>();
    for (String input : task.inputs()) {
      Integer producer = producerOf.get(input);
      if (producer != null) {
        before.add(producer);
      }
    }
    for (String id : task.after()) {
      Integer index = indexOf.get(id);
      if (index != null) {
        before.add(index);
      }
    }
    return before;
  }

  /** Walks from parent to parent among the remaining tasks until a task repeats. */
  private InvalidWorkflowException cycleThrough(
      int start, List<Set<Integer>> parents, int[] missing) {
    List<Integer> walk = new ArrayList<>();
    int at = start;
    while (!walk.contains(at)) {
      walk.add(at);
      at =
          parents.get(at).stream()
              .filter(parent -> missing[parent] > 0)
              .sorted()
              .findFirst()
              .orElseThrow();
    }
    StringBuilder path = new StringBuilder(tasks.get(at).id());
    for (int i = walk.size() - 1; i >= walk.indexOf(at); i--) {
      path.append(" -> ").append(tasks.get(walk.get(i)).id());
    }
    return new InvalidWorkflowException(
        new Place(at, Part.TASK, tasks.get(at).id()),
        "the tasks depend on each other in a cycle: " + path,
        "remove one of these dependencies");
  }
}
