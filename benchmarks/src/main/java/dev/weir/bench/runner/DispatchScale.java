package dev.weir.bench.runner;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * What dispatching costs as runs and clusters grow, and how busy it keeps the workers: the real
 * dispatcher, everything else simulated. Of eleven tasks ten read an input each, on a node of their
 * own choice, and the eleventh reads what those ten have written. Run it with {@code benchmarks/run
 * dispatch}.
 */
public final class DispatchScale {

  private static final int[] TASKS = {1_000, 10_000, 100_000};
  private static final int[] NODES = {128, 1_000, 5_000};
  private static final int[] AHEAD = {0, 2};
  private static final int WIDTH = 10;
  private static final long BYTES = 1_000_000;
  private static final long SEED = 1;

  private DispatchScale() {}

  /**
   * Measures and prints a table in Markdown.
   *
   * @param args none
   */
  public static void main(String[] args) {
    measure(TASKS[1], NODES[0], 2);
    measure(TASKS[1], NODES[1], 0);
    System.out.println(
        "| tasks | workers | ahead | dispatch, µs a task | utilisation | messages a task | asked back"
            + " | journal, bytes a task | master busy | run |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (int nodes : NODES) {
      for (int tasks : TASKS) {
        for (int ahead : AHEAD) {
          measure(tasks, nodes, ahead);
        }
      }
    }
  }

  private static void measure(int tasks, int nodes, int ahead) {
    Map<String, Map<String, Long>> places = new HashMap<>();
    SimulatedRun run = new SimulatedRun(workflow(tasks, nodes, places), nodes, ahead, places);
    SimulatedRun.Outcome outcome = run.run();
    System.out.printf(
        Locale.ROOT,
        "| %,d | %,d | %d | %.1f | %.1f %% | %.2f | %,d | %.0f | %.1f %% | %.0f s |%n",
        tasks,
        nodes,
        ahead,
        outcome.nanosPerTask() / 1000,
        outcome.utilisation() * 100,
        outcome.messagesPerTask(),
        outcome.recalls(),
        outcome.journalBytesPerTask(),
        outcome.masterLoad() * 100,
        run.seconds());
  }

  private static Workflow workflow(int count, int nodes, Map<String, Map<String, Long>> places) {
    Random random = new Random(SEED);
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String output = "out/" + i;
      files.put(output, new DataFile(output, BYTES));
      if (parts.size() == WIDTH) {
        tasks.add(task("join" + i, parts, output));
        parts = new ArrayList<>();
      } else {
        String input = "in/" + i;
        files.put(input, new DataFile(input, BYTES));
        places.put(input, Map.of("n" + random.nextInt(nodes), BYTES));
        tasks.add(task("part" + i, List.of(input), output));
        parts.add(output);
      }
    }
    return new Workflow("scale", tasks, files);
  }

  private static Task task(String id, List<String> inputs, String output) {
    return new Task(id, "type", List.of("run", id), inputs, List.of(output), 10);
  }
}
