package dev.weir.it.run;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds workflows of shell scripts, among them those that most tests run. */
final class ShellWorkflow {
  /** The number of parallel chains of tasks, one for each node. */
  static final int WIDTH = 4;

  private static final long DECLARED_BYTES = 200_000;

  private final String name;
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, DataFile> files = new LinkedHashMap<>();

  ShellWorkflow(String name) {
    this.name = name;
  }

  /** Starts with all tasks of another workflow. */
  static ShellWorkflow from(Workflow other, String name) {
    ShellWorkflow workflow = new ShellWorkflow(name);
    workflow.tasks.addAll(other.tasks());
    workflow.files.putAll(other.files());
    return workflow;
  }

  /** Adds a task; its type is its id without the digits at the end. */
  ShellWorkflow task(String id, String script, List<String> inputs, List<String> outputs) {
    return task(id, script, inputs, outputs, List.of());
  }

  /** Adds a task that comes after others without reading from them. */
  ShellWorkflow task(
      String id, String script, List<String> inputs, List<String> outputs, List<String> after) {
    String type = id.replaceAll("[0-9]+$", "");
    return task(new Task(id, type, List.of("sh", "-c", script), inputs, outputs, after, 1));
  }

  /** Adds a task with declared needs. */
  ShellWorkflow task(
      String id, String script, List<String> inputs, List<String> outputs, TaskNeeds needs) {
    String type = id.replaceAll("[0-9]+$", "");
    return task(
        new Task(id, type, List.of("sh", "-c", script), inputs, outputs, 1).withNeeds(needs));
  }

  private ShellWorkflow task(Task task) {
    tasks.add(task);
    Stream.concat(task.inputs().stream(), task.outputs().stream())
        .forEach(file -> files.putIfAbsent(file, new DataFile(file, DECLARED_BYTES)));
    return this;
  }

  Workflow build() {
    return new Workflow(name, tasks, files);
  }

  /**
   * Thirteen tasks: four chains of {@code gen}, {@code clean} and {@code sum}, joined by {@code
   * all}. The tasks {@code gen} wait for the gate of that name, the tasks {@code clean} for theirs.
   */
  static Workflow lines(Marks marks) {
    ShellWorkflow workflow = new ShellWorkflow("lines");
    List<String> sums = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      String input = input(i);
      String raw = "raw/r" + i + ".dat";
      String clean = "clean/c" + i + ".dat";
      String sum = "sum/s" + i + ".txt";
      workflow
          .task(
              "gen" + i,
              marks.recordBegin()
                  + marks.waitFor("gen")
                  + "cat "
                  + input
                  + " "
                  + input
                  + " > "
                  + raw,
              List.of(input),
              List.of(raw))
          .task(
              "clean" + i,
              marks.recordBegin() + marks.waitFor("clean") + "tr a-y b-z < " + raw + " > " + clean,
              List.of(raw),
              List.of(clean))
          .task(
              "sum" + i,
              marks.recordBegin() + "sha256sum < " + clean + " > " + sum,
              List.of(clean),
              List.of(sum));
      sums.add(sum);
    }
    return workflow.joined(sums);
  }

  /**
   * Four tasks {@code gen}, which wait for their gate; then {@code hold}, which waits for its own
   * while the outputs of the four exist; then four tasks {@code late} that read these, and {@code
   * all}.
   */
  static Workflow held(Marks marks) {
    ShellWorkflow workflow = new ShellWorkflow("held");
    List<String> gens = new ArrayList<>();
    List<String> raws = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      String input = input(i);
      String raw = "raw/r" + i + ".dat";
      workflow.task(
          "gen" + i,
          marks.recordBegin() + marks.waitFor("gen") + "cat " + input + " " + input + " > " + raw,
          List.of(input),
          List.of(raw));
      gens.add("gen" + i);
      raws.add(raw);
    }
    return workflow.readLate(marks, gens, raws);
  }

  /**
   * Four chains of {@code gen}, {@code mid} and {@code fin}, the last of which wait for the gate
   * {@code gen}; then {@code hold}, {@code late} and {@code all} as in {@link #held}.
   */
  static Workflow deep(Marks marks) {
    ShellWorkflow workflow = new ShellWorkflow("deep");
    List<String> fins = new ArrayList<>();
    List<String> files = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      String input = input(i);
      String raw = "raw/r" + i + ".dat";
      String mid = "mid/m" + i + ".dat";
      String fin = "fin/f" + i + ".dat";
      workflow
          .task(
              "gen" + i,
              marks.recordBegin() + "cat " + input + " " + input + " > " + raw,
              List.of(input),
              List.of(raw))
          .task(
              "mid" + i,
              marks.recordBegin() + "tr a-y b-z < " + raw + " > " + mid,
              List.of(raw),
              List.of(mid))
          .task(
              "fin" + i,
              marks.recordBegin() + marks.waitFor("gen") + "tr b-z a-y < " + mid + " > " + fin,
              List.of(mid),
              List.of(fin));
      fins.add("fin" + i);
      files.add(fin);
    }
    return workflow.readLate(marks, fins, files);
  }

  /**
   * Four tasks {@code gen}, which wait for their gate; then two tasks {@code hold}, which wait for
   * theirs while the outputs of the four exist; then four chains that read all of these outputs, so
   * that each of the five results depends on all inputs.
   */
  static Workflow woven(Marks marks) {
    ShellWorkflow workflow = new ShellWorkflow("woven");
    List<String> gens = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      String input = input(i);
      workflow.task(
          "gen" + i,
          marks.recordBegin()
              + marks.waitFor("gen")
              + "cat %s %s %s > raw/r%d".formatted(input, input, input, i),
          List.of(input),
          List.of("raw/r" + i));
      gens.add("gen" + i);
    }
    List<String> go = List.of("go/g0", "go/g1");
    for (int i = 0; i < go.size(); i++) {
      workflow.task(
          "hold" + i,
          marks.recordBegin() + marks.waitFor("hold") + "echo " + i + " > " + go.get(i),
          List.of(),
          List.of(go.get(i)),
          gens);
    }
    List<String> lates = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      workflow.task(
          "late" + i,
          marks.recordBegin() + "cat go/g0 go/g1 raw/r" + i + " | tr a-y b-z > late/l" + i,
          List.of("raw/r" + i, go.get(0), go.get(1)),
          List.of("late/l" + i));
      lates.add("late/l" + i);
    }
    List<String> sums = new ArrayList<>();
    for (int i = 0; i < WIDTH; i++) {
      // Each task reads them in another order.
      Collections.rotate(lates, 1);
      String out = "out/o" + i + ".dat";
      String sum = "sum/s" + i + ".txt";
      workflow
          .task(
              "weave" + i,
              marks.recordBegin() + "cat " + String.join(" ", lates) + " > woven/w" + i,
              List.copyOf(lates),
              List.of("woven/w" + i))
          .task(
              "out" + i,
              marks.recordBegin()
                  + "tr b-z a-y < woven/w%d > %s; sha256sum < %s > %s".formatted(i, out, out, sum),
              List.of("woven/w" + i),
              List.of(out, sum));
      sums.add(sum);
    }
    return workflow.joined(sums);
  }

  /** Adds {@code hold} after some tasks, then tasks that read the given files after it. */
  private Workflow readLate(Marks marks, List<String> tasksBefore, List<String> made) {
    List<String> sums = new ArrayList<>();
    for (int i = 0; i < made.size(); i++) {
      String sum = "sum/s" + i + ".txt";
      task(
          "late" + i,
          marks.recordBegin() + "cat " + made.get(i) + " go.txt | sha256sum > " + sum,
          List.of(made.get(i), "go.txt"),
          List.of(sum));
      sums.add(sum);
    }
    return task(
            "hold",
            marks.recordBegin() + marks.waitFor("hold") + "echo go > go.txt",
            List.of(),
            List.of("go.txt"),
            tasksBefore)
        .joined(sums);
  }

  private Workflow joined(List<String> sums) {
    return task("all", "cat " + String.join(" ", sums) + " > final.txt", sums, List.of("final.txt"))
        .build();
  }

  /** The inputs of these workflows by name. */
  static Map<String, byte[]> inputs() {
    Map<String, byte[]> inputs = new LinkedHashMap<>();
    for (int i = 0; i < WIDTH; i++) {
      byte[] bytes = new byte[(int) DECLARED_BYTES / 2];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) ('a' + (at * (i + 1)) % 26);
      }
      inputs.put(input(i), bytes);
    }
    return inputs;
  }

  private static String input(int i) {
    return "in/i" + i + ".dat";
  }
}
