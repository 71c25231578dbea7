package dev.weir.workflow.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.Mode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunEstimatorTest {

  private static final long MB = 1_000_000;

  /** Links of 10 MB/s; local reads and tasks take no time. */
  private static final ClusterRates RATES = new ClusterRates(10e6, 1e15, 0, 0);

  private static RunEstimator estimator(int nodes, WorkerSize worker, Mode mode) {
    return new RunEstimator(
        new EstimateCluster(
            EstimateCluster.names(nodes),
            nodes,
            worker,
            RATES,
            new EstimateCluster.Storage(Math.min(3, nodes), 128 << 20)),
        mode);
  }

  private static RunEstimate estimate(int nodes, Mode mode, Workflow workflow) {
    return estimator(nodes, new WorkerSize(1, Long.MAX_VALUE, 2), mode)
        .estimate(workflow, TaskProfiles.NONE, Map.of());
  }

  private static Task task(String id, double seconds, List<String> inputs, List<String> outputs) {
    return new Task(id, "t", List.of(), inputs, outputs, seconds);
  }

  private static Workflow workflow(List<Task> tasks, long bytes, String... files) {
    Map<String, DataFile> all = new HashMap<>();
    for (String file : files) {
      all.put(file, new DataFile(file, bytes));
    }
    return new Workflow("w", tasks, all);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void tasksWithoutDataTakeTheirTime(Mode mode) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      tasks.add(task("t" + i, 5, List.of(), List.of()));
    }
    RunEstimate estimate = estimate(4, mode, workflow(tasks, 0));
    assertThat(estimate.seconds()).isCloseTo(10, within(0.1));
    assertThat(estimate.commandSeconds()).isEqualTo(40);
    assertThat(estimate.workerSeconds()).isCloseTo(40, within(0.4));
    assertThat(estimate.bytesMoved()).isZero();
  }

  @Test
  void stockWritesThreeReplicas() {
    Workflow writer = workflow(List.of(task("a", 1, List.of(), List.of("out"))), 100 * MB, "out");
    RunEstimate estimate = estimate(4, Mode.STOCK, writer);
    // A pipeline: both copies move at the same time.
    assertThat(estimate.seconds()).isCloseTo(11, within(0.1));
    assertThat(estimate.bytesMoved()).isEqualTo(200 * MB);
  }

  @Test
  void pipelinesStayOnTheirNodeInModeWeir() {
    Workflow pipeline =
        workflow(
            List.of(
                task("a", 1, List.of(), List.of("x")),
                task("b", 1, List.of("x"), List.of("y")),
                task("c", 1, List.of("y"), List.of())),
            100 * MB,
            "x",
            "y");
    assertThat(estimate(4, Mode.WEIR, pipeline).seconds()).isCloseTo(3, within(0.2));
    assertThat(estimate(4, Mode.STOCK, pipeline).seconds()).isGreaterThan(20);
  }

  @Test
  void coresAndMemoryLimitWhatRunsSideBySide() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tasks.add(task("t" + i, 5, List.of(), List.of()).withNeeds(new TaskNeeds(2, 60, 0)));
    }
    Workflow workflow = workflow(tasks, 0);
    assertThat(seconds(workflow, new WorkerSize(8, 1_000, 2))).isCloseTo(5, within(0.1));
    assertThat(seconds(workflow, new WorkerSize(4, 1_000, 2))).isCloseTo(10, within(0.1));
    assertThat(seconds(workflow, new WorkerSize(8, 100, 2))).isCloseTo(20, within(0.1));
    assertThatThrownBy(() -> seconds(workflow, new WorkerSize(1, 1_000, 2)))
        .hasMessageContaining("'t0' needs 2 cores");
  }

  private static double seconds(Workflow workflow, WorkerSize worker) {
    return estimator(1, worker, Mode.WEIR)
        .estimate(workflow, TaskProfiles.NONE, Map.of())
        .seconds();
  }

  @Test
  void knownPlacesOfInputsCount() {
    Workflow reader = workflow(List.of(task("a", 1, List.of("in"), List.of())), 100 * MB, "in");
    RunEstimator estimator = estimator(4, new WorkerSize(1, Long.MAX_VALUE, 2), Mode.LOCALITY);
    StoredFile elsewhere = new StoredFile("in", 100 * MB, Map.of("other", 100 * MB));
    StoredFile here = new StoredFile("in", 100 * MB, Map.of("node-2", 100 * MB));
    assertThat(estimator.estimate(reader, TaskProfiles.NONE, Map.of("in", elsewhere)).seconds())
        .isCloseTo(11, within(0.1));
    assertThat(estimator.estimate(reader, TaskProfiles.NONE, Map.of("in", here)).seconds())
        .isCloseTo(1, within(0.1));
  }

  @Test
  void doneTasksAndElapsedTimeAreLeftOut() {
    Workflow workflow =
        workflow(
            List.of(
                task("a", 10, List.of(), List.of("x")),
                task("b", 20, List.of("x"), List.of()),
                task("c", 5, List.of(), List.of())),
            MB,
            "x");
    RunEstimator estimator = estimator(1, new WorkerSize(1, Long.MAX_VALUE, 2), Mode.WEIR);
    StoredFile made = new StoredFile("x", MB, Map.of("node-0", MB));
    RunEstimate left =
        estimator.remaining(
            workflow,
            TaskProfiles.NONE,
            Map.of("a", List.of(made), "c", List.of()),
            Map.of("b", 15.0));
    assertThat(left.seconds()).isCloseTo(5, within(0.1));
    RunEstimate overdue =
        estimator.remaining(
            workflow,
            TaskProfiles.NONE,
            Map.of("a", List.of(made), "c", List.of()),
            Map.of("b", 40.0));
    assertThat(overdue.seconds()).as("a quarter of what it has run").isCloseTo(10, within(0.1));
  }

  @Test
  void randomGraphsEndAndRepeat() {
    for (long seed = 0; seed < 30; seed++) {
      Workflow workflow = random(new Random(seed));
      for (Mode mode : Mode.values()) {
        RunEstimate once = estimate(3, mode, workflow);
        assertThat(once.seconds())
            .as("seed %s, mode %s", seed, mode)
            .isGreaterThanOrEqualTo(once.commandSeconds() / 3 - 0.01)
            .isLessThan(100_000);
        assertThat(estimate(3, mode, workflow)).as("seed %s, mode %s", seed, mode).isEqualTo(once);
      }
    }
  }

  private static Workflow random(Random random) {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new HashMap<>();
    files.put("in", new DataFile("in", random.nextInt(100) * MB));
    List<String> made = new ArrayList<>(List.of("in"));
    int number = 5 + random.nextInt(30);
    for (int i = 0; i < number; i++) {
      List<String> inputs =
          made.stream().filter(file -> random.nextInt(made.size()) < 2).limit(5).toList();
      String output = "f" + i;
      files.put(output, new DataFile(output, random.nextInt(30) * MB));
      tasks.add(
          new Task(
              "t" + i,
              "type" + i % 3,
              List.of(),
              inputs,
              List.of(output),
              random.nextInt(100) / 10.0));
      made.add(output);
    }
    if (tasks.stream().noneMatch(task -> task.inputs().contains("in"))) {
      files.remove("in");
    }
    return new Workflow("random", tasks, files);
  }
}
