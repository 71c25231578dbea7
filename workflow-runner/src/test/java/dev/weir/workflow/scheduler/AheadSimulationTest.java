package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Copies ahead pay in simulations with shared links, and cost nothing when they cannot pay. */
class AheadSimulationTest {

  private static final long MB = 1_000_000;

  private static Task task(String id, List<String> in, List<String> out, double seconds) {
    return new Task(id, id.replaceAll("[0-9]", ""), List.of("true"), in, out, seconds);
  }

  private static double run(Workflow workflow, int nodes, boolean ahead) {
    return new LinkSimulation(workflow, nodes, ahead).run();
  }

  /** Producers that end one after the other, and a task that reads all their files. */
  private static Workflow gather(int makers, long bytes) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    List<String> made = new ArrayList<>();
    for (int i = 0; i < makers; i++) {
      files.put("f" + i, new DataFile("f" + i, bytes));
      tasks.add(task("make" + i, List.of(), List.of("f" + i), 10 + 5 * i));
      made.add("f" + i);
    }
    files.put("all", new DataFile("all", 1));
    tasks.add(task("join", made, List.of("all"), 5));
    return new Workflow("gather", tasks, files);
  }

  @Test
  void inputsAreCollectedByTheTimeTheLastProducerEnds() {
    Workflow workflow = gather(4, 400 * MB);
    LinkSimulation with = new LinkSimulation(workflow, 4, true);

    double without = run(workflow, 4, false);
    double ahead = with.run();

    // 12 s for three files over one link, of which all but the last was hidden.
    assertThat(without - ahead).as("%s s without, %s s with", without, ahead).isGreaterThan(8);
    assertThat(with.totals().usedBytes()).isEqualTo(with.totals().bytes()).isGreaterThan(700 * MB);
  }

  @Test
  void aChainHasNothingToCopy() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      files.put("f" + i, new DataFile("f" + i, 500 * MB));
      tasks.add(task("t" + i, i == 0 ? List.of() : List.of("f" + (i - 1)), List.of("f" + i), 5));
    }
    LinkSimulation with = new LinkSimulation(new Workflow("chain", tasks, files), 3, true);
    with.run();
    assertThat(with.totals().bytes()).isZero();
  }

  /** Layers of tasks that read some files of the layers before. */
  private static Workflow random(Random random) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    List<String> before = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      files.put("in" + i, new DataFile("in" + i, (1 + random.nextInt(500)) * MB));
      before.add("in" + i);
    }
    int number = 0;
    for (int layer = 0; layer < 5; layer++) {
      List<String> made = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(8); i++) {
        Set<String> inputs = new LinkedHashSet<>();
        for (int k = 0; k <= random.nextInt(3); k++) {
          inputs.add(before.get(random.nextInt(before.size())));
        }
        String output = "f" + number;
        files.put(output, new DataFile(output, (1 + random.nextInt(1_000)) * MB));
        made.add(output);
        tasks.add(
            task("t" + number++, List.copyOf(inputs), List.of(output), 1 + random.nextInt(30)));
      }
      before.addAll(made);
    }
    Set<String> read = new LinkedHashSet<>();
    tasks.forEach(task -> read.addAll(task.inputs()));
    files.keySet().removeIf(file -> file.startsWith("in") && !read.contains(file));
    return new Workflow("layers", tasks, files);
  }

  @Test
  void copiesAheadPayOnAverageAndRarelyCost() {
    double without = 0;
    double with = 0;
    long copied = 0;
    long used = 0;
    int slower = 0;
    double worst = 0;
    int seeds = 100;
    StringBuilder lines = new StringBuilder();
    for (long seed = 0; seed < seeds; seed++) {
      int nodes = 2 + (int) (seed % 5);
      double plain = run(random(new Random(seed)), nodes, false);
      LinkSimulation simulation = new LinkSimulation(random(new Random(seed)), nodes, true);
      double ahead = simulation.run();
      without += plain;
      with += ahead;
      copied += simulation.totals().bytes();
      used += simulation.totals().usedBytes();
      slower += ahead > plain * 1.02 ? 1 : 0;
      worst = Math.max(worst, ahead / plain);
      lines.append(String.format("%d %d %.1f %.1f%n", seed, nodes, plain, ahead));
    }
    String text =
        String.format(
            "%.0f s without, %.0f s with; %d MB copied, %d MB used; %d of %d slower%n%s",
            without, with, copied / MB, used / MB, slower, seeds, lines);

    assertThat(with).as(text).isLessThan(0.99 * without);
    assertThat(slower).as(text).isLessThanOrEqualTo(seeds / 10);
    // Another order of the same tasks may take longer, but not by much.
    assertThat(worst).as(text).isLessThan(1.15);
  }
}
