package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tasks that become ready together, and workers that are free together. */
class SimultaneousTasksTest {

  private static final int NODES = 19;
  private static final long MB = 1_000_000;
  private static final long NOW = 1_000;

  /** One task, and after it one task for each node, each with its own input. */
  private static Workflow oneThenOneForEach(long bytes) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    tasks.add(task("go", List.of(), List.of()));
    for (int i = 0; i < NODES; i++) {
      files.put("in" + i, new DataFile("in" + i, bytes));
      tasks.add(task("t" + i, List.of("in" + i), List.of("go")));
    }
    return new Workflow("together", tasks, files);
  }

  private static Task task(String id, List<String> inputs, List<String> after) {
    return new Task(id, "type", List.of("true"), inputs, List.of(), after, 1);
  }

  /** Replicas in turn: file i on nodes i, i + 1 and i + 2. */
  private static Map<String, Long> replicas(int file, long bytes) {
    Map<String, Long> replicas = new HashMap<>();
    for (int k = 0; k < 3; k++) {
      replicas.put("n" + (file + k) % NODES, bytes);
    }
    return replicas;
  }

  /** All tasks could be local: of the replicas, each node has three. */
  @Test
  void mostWorkersReadTheirOwnReplica() {
    int local = 0;
    int seeds = 200;
    for (int seed = 0; seed < seeds; seed++) {
      Dispatcher dispatcher =
          Dispatchers.of(oneThenOneForEach(MB), AssignmentPolicy.DATA_AWARE, Limits.DEFAULT);
      for (int i = 0; i < NODES; i++) {
        dispatcher.locate("in" + i, replicas(i, MB));
      }
      List<Effect.Start> first = new ArrayList<>(starts(dispatcher.start(NOW)));
      for (String node : shuffledNodes(seed)) {
        first.addAll(starts(dispatcher.workerJoined(new WorkerInfo(node, node, "/r"), NOW)));
      }
      assertThat(first).hasSize(1);

      List<Effect.Start> together =
          starts(
              dispatcher.reported(
                  first.get(0).worker(),
                  Reports.succeeded(first.get(0), first.get(0).worker(), 0),
                  NOW));

      assertThat(together).hasSize(NODES);
      local += (int) together.stream().filter(it -> has(it.worker(), it.task())).count();
    }
    assertThat(local).isGreaterThan(seeds * NODES * 95 / 100);
  }

  private static boolean has(String node, String task) {
    return replicas(Integer.parseInt(task.substring(1)), MB).containsKey(node);
  }

  private static List<String> shuffledNodes(int seed) {
    List<String> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add("n" + i);
    }
    Collections.shuffle(nodes, new Random(seed));
    return nodes;
  }

  @Test
  void noTaskWaitsForALinkThatNoneNeeds() {
    LinkSimulation simulation = new LinkSimulation(oneThenOneForEach(850 * MB), NODES, 3);

    // Two tasks of 2 s at most, one after the other; an input takes 8.5 s over a link.
    assertThat(simulation.run()).isLessThan(5);
  }
}
