package dev.weir.workflow.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a ready task waits for a busy worker while another worker is idle. */
class PricedWaitTest {

  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final long SMALL = 1_000;

  /** Ten seconds at the rate that is assumed when none was measured. */
  private static final long LARGE = 1_000_000_000;

  private static final long NOW = 100_000;

  /**
   * The worker of n1 runs a task. Then the one on another node becomes idle, and a task becomes
   * ready that reads a file.
   *
   * @param seconds declared run time of the task on n1
   * @param bytes length of the file
   * @param places hosts of the file
   * @param other the other worker's node
   */
  private record Case(double seconds, long bytes, List<String> places, String other) {

    Case(double seconds, long bytes) {
      this(seconds, bytes, List.of("n1"), "n2");
    }

    Dispatcher dispatcher(WorkerSize size, Task... more) {
      Map<String, DataFile> files = new LinkedHashMap<>();
      files.put("one", new DataFile("one", SMALL));
      files.put("far", new DataFile("far", SMALL));
      files.put("two", new DataFile("two", bytes));
      List<Task> tasks = new ArrayList<>(List.of(more));
      tasks.add(task("run", "one", List.of(), seconds));
      tasks.add(task("first", "far", List.of(), 9));
      tasks.add(task("next", "two", List.of("first"), 1));
      Dispatcher dispatcher =
          Dispatchers.of(
              new Workflow("test", tasks, files),
              AssignmentPolicy.DATA_AWARE,
              new Limits(3, 4),
              size);
      dispatcher.locate("one", Map.of("n1", SMALL));
      dispatcher.locate("far", Map.of(other, SMALL));
      Map<String, Long> held = new HashMap<>();
      places.forEach(node -> held.put(node, bytes));
      dispatcher.locate("two", held);
      dispatcher.workerJoined(W1, NOW);
      dispatcher.workerJoined(new WorkerInfo("w2", other, "/r"), NOW);
      assertThat(dispatcher.start(NOW).effects())
          .contains(Starts.of("w1", "run", 1, List.of()), Starts.of("w2", "first", 1, List.of()));
      return dispatcher;
    }
  }

  private static final WorkerSize ONE_AHEAD = new WorkerSize(1, 1L << 30, 1);

  private static Task task(String id, String input, List<String> after, double seconds) {
    return new Task(id, id, List.of("true"), List.of(input), List.of(), after, seconds);
  }

  private static Step firstEnds(Dispatcher dispatcher) {
    Effect.Start first = Starts.of("w2", "first", 1, List.of());
    return dispatcher.reported("w2", Reports.succeeded(first, "n2", 0), NOW);
  }

  private static String targetOf(Step step) {
    assertThat(step.effects()).hasSize(1).hasOnlyElementsOfType(Effect.Start.class);
    Effect.Start start = (Effect.Start) step.effects().get(0);
    assertThat(start.task()).isEqualTo("next");
    return start.worker();
  }

  @Test
  void aTaskWaitsWhenThatTakesLessThanMovingItsInput() {
    Dispatcher dispatcher = new Case(3, LARGE).dispatcher(ONE_AHEAD);

    assertThat(targetOf(firstEnds(dispatcher))).as("3 s, and 10 s over a link").isEqualTo("w1");
    assertThat(dispatcher.progress().running()).containsExactly("run");
  }

  @Test
  void aTaskDoesNotWaitWhenThatTakesLonger() {
    Dispatcher dispatcher = new Case(12, LARGE).dispatcher(ONE_AHEAD);

    assertThat(targetOf(firstEnds(dispatcher))).isEqualTo("w2");
  }

  @Test
  void theReasonHasTheWaitThatWasComparedWithTheMove() {
    Dispatcher dispatcher = new Case(12, LARGE).dispatcher(ONE_AHEAD);
    assertThat(targetOf(firstEnds(dispatcher))).isEqualTo("w2");

    Effect.Start next = Starts.of("w2", "next", 1, List.of());
    Step end = dispatcher.reported("w2", Reports.succeeded(next, "n2", 0), NOW);

    assertThat(end.records())
        .filteredOn(DispatchRecord.AttemptEnded.class::isInstance)
        .map(DispatchRecord.AttemptEnded.class::cast)
        .map(ended -> requireNonNull(ended.placement()).candidates())
        .containsExactly(List.of(new PlacementReason.Candidate("n1", LARGE, 12_000)));
  }

  @Test
  void noTaskWaitsForATenthOfASecond() {
    Dispatcher dispatcher = new Case(0.01, LARGE / 100).dispatcher(ONE_AHEAD);

    assertThat(targetOf(firstEnds(dispatcher))).isEqualTo("w2");
  }

  @Test
  void noTaskWaitsForAnUnknownRunTime() {
    Dispatcher dispatcher = new Case(0, LARGE).dispatcher(ONE_AHEAD);

    assertThat(targetOf(firstEnds(dispatcher))).isEqualTo("w2");
  }

  @Test
  void aTaskThatExceedsItsEstimateIsExpectedToTakeAQuarterLonger() {
    Dispatcher dispatcher = new Case(3, LARGE).dispatcher(ONE_AHEAD);
    Effect.Start first = Starts.of("w2", "first", 1, List.of());

    assertThat(targetOf(dispatcher.reported("w2", Reports.succeeded(first, "n2", 0), NOW + 3_500)))
        .isEqualTo("w1");

    Dispatcher late = new Case(3, LARGE).dispatcher(ONE_AHEAD);
    assertThat(targetOf(late.reported("w2", Reports.succeeded(first, "n2", 0), NOW + 45_000)))
        .as("11 s, and 10 s over a link")
        .isEqualTo("w2");
  }

  @Test
  void aWorkerWithAllTasksAheadGivesOneBackThatMovesCheaply() {
    Task ahead = task("ahead", "one", List.of(), 1);
    Dispatcher dispatcher = new Case(3, LARGE).dispatcher(ONE_AHEAD, ahead);

    assertThat(firstEnds(dispatcher).effects())
        .containsExactly(new Effect.Recall("w1", "ahead", 1));
  }

  @Test
  void anUrgentTaskDoesNotWait() {
    Dispatcher dispatcher = new Case(3, LARGE).dispatcher(ONE_AHEAD);
    dispatcher.steer("", "request", new Steering(Steering.Action.PRIORITISE, "next", 1), NOW);

    assertThat(targetOf(firstEnds(dispatcher))).isEqualTo("w2");
  }

  @Test
  void aNodeWithTheInputNeedNotBeIndexed() {
    List<String> everybody = IntStream.rangeClosed(1, 12).mapToObj(i -> "n" + i).toList();
    for (String node : everybody.subList(1, 12)) {
      Dispatcher dispatcher = new Case(3, LARGE, everybody, node).dispatcher(ONE_AHEAD);

      assertThat(targetOf(firstEnds(dispatcher))).as(node).isEqualTo("w2");
    }
  }

  /** The node with the large input is busy for 2 s when a task becomes ready on another one. */
  @Test
  void theRunEndsBeforeTheInputWouldHaveArrived() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List.of("on0", "on1").forEach(file -> files.put(file, new DataFile(file, SMALL)));
    files.put("large", new DataFile("large", 3 * LARGE));
    List<Task> tasks =
        List.of(
            task("long", "on0", List.of(), 3),
            task("go", "on1", List.of(), 1),
            task("next", "large", List.of("go"), 1));

    double seconds = new LinkSimulation(new Workflow("test", tasks, files), 2, 1).run();

    assertThat(seconds).as("and 30 s over a link").isLessThan(12);
  }
}
