package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs whose declared sizes are unknown, or wrong by factors from 1/1000 to 1000. */
class WrongSizesSimulationTest {

  private static final long MB = 1_000_000;
  private static final int SEEDS = 60;

  /** Layers of tasks that read some files of the layers before. */
  private static Workflow layers(Random random) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    List<String> before = new ArrayList<>();
    for (int layer = 0; layer < 5; layer++) {
      List<String> made = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(10); i++) {
        Set<String> inputs = new LinkedHashSet<>();
        for (int k = 0; layer > 0 && k <= random.nextInt(3); k++) {
          inputs.add(before.get(random.nextInt(before.size())));
        }
        String output = "f" + layer + "-" + i;
        files.put(output, new DataFile(output, (1 + random.nextInt(1_500)) * MB));
        made.add(output);
        tasks.add(
            new Task(
                "t" + layer + "-" + i,
                "type" + layer,
                List.of("true"),
                List.copyOf(inputs),
                List.of(output),
                1 + random.nextInt(30)));
      }
      before.addAll(made);
    }
    return new Workflow("layers", tasks, files);
  }

  /** How sizes are declared. */
  private interface Declaring {
    DataFile declare(DataFile file, Random random);
  }

  private static double seconds(long seed, Declaring declaring, AssignmentPolicy policy) {
    Workflow real = layers(new Random(seed));
    Random random = new Random(~seed);
    Map<String, DataFile> declared = new LinkedHashMap<>();
    Map<String, Long> sizes = new HashMap<>();
    for (DataFile file : real.files().values()) {
      declared.put(file.id(), declaring.declare(file, random));
      sizes.put(file.id(), file.sizeBytes());
    }
    Workflow workflow = new Workflow(real.name(), real.tasks(), declared);
    return new LinkSimulation(workflow, sizes, 2 + (int) (seed % 7), policy).run();
  }

  /** The times of runs, divided by those with other sizes or another policy. */
  private static final class Ratios {
    private double logs;
    private double worst;
    private final StringBuilder lines = new StringBuilder();

    void add(long seed, double seconds, double reference) {
      logs += Math.log(seconds / reference);
      worst = Math.max(worst, seconds / reference);
      lines.append(String.format(Locale.ROOT, "%d: %.1f, %.1f%n", seed, seconds, reference));
    }

    double mean() {
      return Math.exp(logs / SEEDS);
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "mean %.3f, worst %.2f%n%s", mean(), worst, lines);
    }
  }

  private static void requireLittleEffect(Declaring declaring) {
    Ratios toRight = new Ratios();
    Ratios toStock = new Ratios();
    for (long seed = 0; seed < SEEDS; seed++) {
      double wrong = seconds(seed, declaring, AssignmentPolicy.DATA_AWARE);
      toRight.add(seed, wrong, seconds(seed, (file, r) -> file, AssignmentPolicy.DATA_AWARE));
      toStock.add(seed, wrong, seconds(seed, (file, r) -> file, AssignmentPolicy.FIFO));
    }

    assertThat(toRight.mean()).as("to right sizes: %s", toRight).isLessThan(1.05);
    assertThat(toStock.mean()).as("to stock: %s", toStock).isLessThan(1);
  }

  @Test
  void unknownSizesCostLittle() {
    requireLittleEffect((file, random) -> DataFile.ofUnknownSize(file.id(), ""));
  }

  @Test
  void wrongSizesCostLittle() {
    requireLittleEffect(
        (file, random) -> {
          double factor = Math.pow(10, 6 * random.nextDouble() - 3);
          return new DataFile(file.id(), Math.round(file.sizeBytes() * factor));
        });
  }
}
