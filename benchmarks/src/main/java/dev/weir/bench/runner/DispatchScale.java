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
 * The cost of dispatch for growing runs and clusters, and the utilisation of workers. The
 * dispatcher is real, everything else is simulated. Of eleven tasks, ten read one input each, on a
 * random node, and the eleventh reads their outputs. Run it with {@code benchmarks/run dispatch
 * [TASKS WORKERS AHEAD [WIDTH [BYTES]]]}.
 */
public final class DispatchScale {

  private static final int[] TASKS = {1_000, 10_000, 100_000};
  private static final int[] NODES = {128, 1_000, 5_000};
  private static final int[] AHEAD = {0, 2};
  private static final int WIDTH = 10;
  private static final long BYTES = 1_000_000;
  private static final long SEED = 1;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The longest run, with as many tasks per worker as in the last rows of 128 and 1,000 workers.
   */
  private static final int LONGEST = 500_000;

  private DispatchScale() {}

  /**
   * The parameters of a run.
   *
   * @param tasks the number of tasks
   * @param nodes the number of nodes, with one worker each
   * @param ahead the number of tasks that a worker gets ahead
   * @param width the number of tasks whose outputs another task reads; 0 if tasks are independent
   * @param bytes length of each file
   */
  private record Size(int tasks, int nodes, int ahead, int width, long bytes) {

    Size(int tasks, int nodes, int ahead) {
      this(tasks, nodes, ahead, WIDTH, BYTES);
    }
  }

  /**
   * Measures and prints a Markdown table.
   *
   * @param args none for all rows; for one row the tasks, the workers, the tasks ahead per worker,
   *     the tasks whose outputs another one reads (0: none does), and the length of each file
   */
  public static void main(String[] args) {
    measure(new Size(TASKS[1], NODES[0], 2));
    measure(new Size(TASKS[1], NODES[1], 0));
    System.out.println(
        "| tasks | workers | ahead | dispatch, µs a task | each second, ms (most) | whole run |"
            + " at best | middle 80 % | messages a task | recalled | journal, bytes a task |"
            + " master busy | run |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    if (args.length > 0) {
      measure(parse(args));
      return;
    }
    for (int nodes : NODES) {
      for (int tasks : TASKS) {
        for (int ahead : AHEAD) {
          measure(new Size(tasks, nodes, ahead));
        }
      }
    }
    measure(new Size(LONGEST, NODES[2], AHEAD[1]));
  }

  private static Size parse(String... args) {
    return new Size(
        Integer.parseInt(args[0]),
        Integer.parseInt(args[1]),
        Integer.parseInt(args[2]),
        args.length > 3 ? Integer.parseInt(args[3]) : WIDTH,
        args.length > 4 ? Long.parseLong(args[4]) : BYTES);
  }

  private static void measure(Size size) {
    Map<String, Map<String, Long>> places = new HashMap<>();
    SimulatedRun run = new SimulatedRun(workflow(size, places), size.nodes(), size.ahead(), places);
    SimulatedRun.Outcome outcome = run.run();
    System.out.printf(
        Locale.ROOT,
        "| %,d | %,d | %d | %.1f | %.1f (%.0f) | %.1f %% | %.1f %% | %s | %.2f | %,d | %.0f |"
            + " %.1f %% | %.1f s |%n",
        size.tasks(),
        size.nodes(),
        size.ahead(),
        outcome.nanosPerTask() / NANOS_PER_MICRO,
        outcome.nanosPerTick() / NANOS_PER_MILLI,
        outcome.longestTickNanos() / NANOS_PER_MILLI,
        outcome.utilisation() * 100,
        WaveUtilisation.best(size.tasks(), size.nodes(), size.width()) * 100,
        Double.isNaN(outcome.middle())
            ? ""
            : String.format(Locale.ROOT, "%.1f %%", outcome.middle() * 100),
        outcome.messagesPerTask(),
        outcome.recalls(),
        outcome.journalBytesPerTask(),
        outcome.masterLoad() * 100,
        run.seconds());
  }

  private static Workflow workflow(Size size, Map<String, Map<String, Long>> places) {
    Random random = new Random(SEED);
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < size.tasks(); i++) {
      String output = "out/" + i;
      files.put(output, new DataFile(output, size.bytes()));
      if (size.width() > 0 && parts.size() == size.width()) {
        tasks.add(task("join" + i, parts, output));
        parts = new ArrayList<>();
      } else {
        String input = "in/" + i;
        files.put(input, new DataFile(input, size.bytes()));
        places.put(input, Map.of("n" + random.nextInt(size.nodes()), size.bytes()));
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
