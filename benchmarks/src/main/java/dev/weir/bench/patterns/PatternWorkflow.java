package dev.weir.bench.patterns;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes a pattern into a workflow whose tasks really read all of their inputs and write their
 * outputs. Not for several threads at once.
 */
final class PatternWorkflow {
  private static final int REUSES = 10;
  private static final int WAVES = 4;
  private static final int LEAST_SECONDS = 2;
  private static final int MOST_SECONDS = 6;

  private final Experiment experiment;
  private final int nodes;
  private final Sizes sizes;
  private final Random random;
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, DataFile> files = new LinkedHashMap<>();

  /**
   * An experiment on a cluster.
   *
   * @param nodes how many it has
   */
  PatternWorkflow(Experiment experiment, int nodes) {
    this.experiment = experiment;
    this.nodes = nodes;
    this.sizes = experiment.sizes();
    // Each repetition and each setup has the same workflow.
    this.random = new Random(nodes);
  }

  /** How many tasks of a stage are side by side. */
  static int side(Experiment experiment, int nodes) {
    return experiment.waves() ? WAVES * nodes : nodes;
  }

  Workflow workflow() {
    Pattern pattern = experiment.pattern();
    int side = side(experiment, nodes);
    switch (pattern) {
      case PIPELINE -> pipeline(side);
      case BROADCAST -> broadcast(side);
      case REDUCE -> reduce(side);
      case REUSE -> reuse();
    }
    return new Workflow(pattern.label() + (experiment.waves() ? "-waves" : ""), tasks, files);
  }

  private void pipeline(int side) {
    for (int i = 0; i < side; i++) {
      String input = file("in-" + i, sizes.input());
      String first = file("a-" + i, sizes.intermediate());
      String second = file("b-" + i, sizes.intermediate());
      String output = file("out-" + i, sizes.output());
      task("first", i, List.of(input), first);
      task("second", i, List.of(first), second);
      task("third", i, List.of(second), output);
    }
  }

  private void broadcast(int side) {
    String input = file("in", sizes.input());
    String shared = file("shared", sizes.intermediate());
    task("produce", 0, List.of(input), shared);
    for (int i = 0; i < side; i++) {
      task("consume", i, List.of(shared), file("out-" + i, sizes.output()));
    }
  }

  private void reduce(int side) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < side; i++) {
      String input = file("in-" + i, sizes.input());
      String part = file("part-" + i, sizes.intermediate());
      parts.add(part);
      task("produce", i, List.of(input), part);
    }
    task("reduce", 0, parts, file("out", sizes.output()));
  }

  private void reuse() {
    String input = file("in", sizes.input());
    String shared = file("shared", sizes.intermediate());
    task("produce", 0, List.of(input), shared);
    String before = shared;
    for (int i = 0; i < REUSES; i++) {
      String output = file("out-" + i, sizes.output());
      task("read", i, before.equals(shared) ? List.of(shared) : List.of(shared, before), output);
      before = output;
    }
  }

  private String file(String id, long bytes) {
    files.put(id, new DataFile(id, bytes));
    return id;
  }

  private void task(String type, int number, List<String> inputs, String output) {
    int seconds =
        experiment.waves() ? LEAST_SECONDS + random.nextInt(MOST_SECONDS - LEAST_SECONDS + 1) : 0;
    long bytes = files.getOrDefault(output, new DataFile(output, 0)).sizeBytes();
    String script =
        "cat "
            + String.join(" ", inputs)
            + " > /dev/null && sleep "
            + seconds
            + " && head -c "
            + bytes
            + " /dev/zero > "
            + output;
    tasks.add(
        new Task(
            type + "-" + number,
            type,
            List.of("sh", "-c", script),
            inputs,
            List.of(output),
            seconds));
  }
}
