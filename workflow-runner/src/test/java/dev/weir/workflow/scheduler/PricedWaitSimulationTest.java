package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The effect of waiting for busy workers over many graphs. */
class PricedWaitSimulationTest {

  private static final long MB = 1_000_000;
  private static final int LAYERS = 6;

  /**
   * A kind of random graph.
   *
   * @param most size of the largest file, in megabytes
   * @param seconds longest declared run time
   * @param replicas how many nodes have each input of the workflow
   */
  private record Kind(int most, int seconds, int replicas) {

    static List<Kind> all() {
      List<Kind> kinds = new ArrayList<>();
      for (int most : List.of(100, 1_000, 5_000)) {
        for (int seconds : List.of(3, 30)) {
          kinds.add(new Kind(most, seconds, 1));
          kinds.add(new Kind(most, seconds, 3));
        }
      }
      return kinds;
    }

    private DataFile file(String id, Random random) {
      return new DataFile(id, (1 + random.nextInt(most)) * MB);
    }

    /** Layers of tasks that read up to three files of those before; each input is read. */
    Workflow graph(Random random) {
      Map<String, DataFile> files = new LinkedHashMap<>();
      List<Task> tasks = new ArrayList<>();
      List<String> before = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        before.add("in" + i);
        files.put("in" + i, file("in" + i, random));
        tasks.add(task("first" + i, Set.of("in" + i), "of" + i, random));
        files.put("of" + i, file("of" + i, random));
      }
      for (int layer = 1; layer < LAYERS; layer++) {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
          Set<String> inputs = new LinkedHashSet<>();
          for (int k = 0; k <= random.nextInt(3); k++) {
            inputs.add(before.get(random.nextInt(before.size())));
          }
          String output = "f" + layer + "-" + i;
          made.add(output);
          files.put(output, file(output, random));
          tasks.add(task("t" + layer + "-" + i, inputs, output, random));
        }
        before.addAll(made);
      }
      return new Workflow("layers", tasks, files);
    }

    private Task task(String id, Set<String> inputs, String output, Random random) {
      return new Task(
          id,
          "layer" + id.charAt(1),
          List.of("true"),
          List.copyOf(inputs),
          List.of(output),
          0.5 + random.nextDouble() * seconds);
    }
  }

  /** The results. */
  private static final class Sums {
    private final StringBuilder lines = new StringBuilder();
    private int graphs;
    private double logs;
    private double without;
    private double with;
    private int faster;
    private int slower;
    private double worst;

    void add(Kind kind, long seed) {
      int nodes = 2 + (int) (seed % 7);
      double plain = run(kind, nodes, seed, false);
      double waiting = run(kind, nodes, seed, true);
      double ratio = waiting / plain;
      graphs++;
      logs += Math.log(ratio);
      without += plain;
      with += waiting;
      faster += ratio < 0.98 ? 1 : 0;
      slower += ratio > 1.02 ? 1 : 0;
      worst = Math.max(worst, ratio);
      if (ratio > 1.2) {
        lines.append(
            String.format(
                Locale.ROOT,
                "%s, seed %d, %d nodes: %.1f s, not %.1f s%n",
                kind,
                seed,
                nodes,
                waiting,
                plain));
      }
    }

    private static double run(Kind kind, int nodes, long seed, boolean waits) {
      Workflow graph = kind.graph(new Random(seed));
      int replicas = Math.min(nodes, kind.replicas());
      return new LinkSimulation(graph, nodes, replicas, waits).run();
    }

    double mean() {
      return Math.exp(logs / graphs);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%d graphs: %.3f of the time in the geometric mean, %.3f of the sum; %d faster, %d slower"
              + " by more than 2 %%; %.2f times as long at worst%n%s",
          graphs,
          mean(),
          with / without,
          faster,
          slower,
          worst,
          lines);
    }
  }

  private static Sums sums(int seedsOfEach) {
    Sums all = new Sums();
    for (Kind kind : Kind.all()) {
      for (long seed = 0; seed < seedsOfEach; seed++) {
        all.add(kind, seed);
      }
    }
    return all;
  }

  @Test
  void waitingPaysOnAverage() {
    Sums sums = sums(5);

    assertThat(sums.mean()).as("%s", sums).isLessThan(1);
    assertThat(sums.slower).as("%s", sums).isLessThan(sums.faster);
  }

  /**
   * The figures of docs/scheduling.md. They are printed and not asserted, because they change with
   * every rule of the scheduler.
   */
  @Test
  @Tag("nightly")
  void waitingPaysOnAverageOverSixHundredGraphs() {
    for (Kind kind : Kind.all()) {
      Sums some = new Sums();
      for (long seed = 0; seed < 50; seed++) {
        some.add(kind, seed);
      }
      System.out.println(kind + ": " + some);
    }
    Sums sums = sums(50);
    System.out.println(sums);

    assertThat(sums.mean()).as("%s", sums).isLessThan(0.99);
    assertThat(sums.slower).as("%s", sums).isLessThan(sums.faster / 2);
  }
}
