package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.TaskQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * When a task that waits for a busy worker moves to an idle one, depending on the measured read
 * rate and on how long the tasks before it have run.
 */
class RecallPriceTest {

  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");
  private static final long BYTES = 10_000_000;
  private static final long NOW = 100_000;
  private static final long SLOW = 1_000_000;
  private static final long FAST = 1_000_000_000;

  private record After(Dispatcher dispatcher, Step step) {}

  private static Task reads(String id, String file) {
    return reads(id, file, 3);
  }

  private static Task reads(String id, String file, double seconds) {
    return new Task(id, "reads", List.of("true"), List.of(file), List.of(), seconds);
  }

  private static Step read(Dispatcher dispatcher, Effect.Start start, long bytesPerSecond) {
    long millis = 20_000_000_000L / bytesPerSecond;
    TaskReport report =
        new TaskReport(
            start.task(),
            start.attempt(),
            Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            List.of(),
            new Usage(0, millis, 100, 0, 0, 20_000_000, 0, 0));
    return dispatcher.reported(start.worker(), report, NOW);
  }

  private static After afterReadingAt(long bytesPerSecond) {
    return afterReadingAt(bytesPerSecond, BYTES, Map.of("n1", BYTES), 3);
  }

  /**
   * The read rate was measured on n2. n1 runs a task for 3 s, and has one ahead.
   *
   * @param declared declared size of the input of the task ahead
   * @param places hosts of that input
   * @param seconds declared run time of the tasks of n1; 0 for unknown
   */
  private static After afterReadingAt(
      long bytesPerSecond, long declared, Map<String, Long> places, double seconds) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("far", new DataFile("far", 20_000_000));
    files.put("one", new DataFile("one", BYTES));
    files.put("two", new DataFile("two", declared));
    Task far = new Task("first", "first", List.of("true"), List.of("far"), List.of(), 9);
    Dispatcher dispatcher =
        Dispatchers.of(
            new Workflow(
                "test",
                List.of(far, reads("run", "one", seconds), reads("ahead", "two", seconds)),
                files),
            AssignmentPolicy.DATA_AWARE,
            new Limits(3, 4),
            new WorkerSize(1, 1L << 30, 1));
    dispatcher.locate("far", Map.of("n2", 20_000_000L));
    dispatcher.locate("one", Map.of("n1", BYTES));
    dispatcher.locate(new StoredFile("two", BYTES, places));
    dispatcher.workerJoined(W1, NOW);
    dispatcher.workerJoined(W2, NOW);
    List<Effect> effects = dispatcher.start(NOW).effects();
    assertThat(effects)
        .contains(
            Starts.of("w1", "run", 1, List.of()),
            Starts.of("w2", "first", 1, List.of()),
            Starts.of("w1", "ahead", 1, List.of()));
    Effect.Start first = Starts.of("w2", "first", 1, List.of());
    return new After(dispatcher, read(dispatcher, first, bytesPerSecond));
  }

  @Test
  void aFastLinkIsUsed() {
    assertThat(afterReadingAt(FAST).step().effects())
        .containsExactly(new Effect.Recall("w1", "ahead", 1));
  }

  @Test
  void behindATaskOfUnknownTimeNoTransferIsTooLong() {
    assertThat(afterReadingAt(SLOW, BYTES, Map.of("n1", BYTES), 0).step().effects())
        .containsExactly(new Effect.Recall("w1", "ahead", 1));
  }

  @Test
  void filesOnVeryManyNodesNeedNotMove() {
    Map<String, Long> everywhere = new HashMap<>();
    for (int i = 1; i <= TaskQueue.MOST_HOSTS + 1; i++) {
      everywhere.put("n" + i, BYTES);
    }

    assertThat(afterReadingAt(SLOW, BYTES, everywhere, 3).step().effects())
        .as("n2 has it, too")
        .containsExactly(new Effect.Recall("w1", "ahead", 1));
  }

  @Test
  void theActualLengthCountsNotTheDeclaredOne() {
    assertThat(afterReadingAt(SLOW, 0, Map.of("n1", BYTES), 3).step().effects())
        .as("3 s, and 10 s over the link")
        .isEmpty();
  }

  @Test
  void tasksAheadTakeAsLongAsTheirType() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      tasks.add(new Task("l" + i, "long", List.of("true"), List.of("far"), List.of(), 1));
    }
    tasks.add(reads("run", "one"));
    tasks.add(new Task("first", "long", List.of("true"), List.of("large"), List.of(), 1));
    tasks.add(new Task("second", "short", List.of("true"), List.of("two"), List.of(), 1));
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("far", new DataFile("far", 20_000_000));
    files.put("one", new DataFile("one", 200 * BYTES));
    files.put("large", new DataFile("large", 100 * BYTES));
    files.put("two", new DataFile("two", BYTES));
    Dispatcher dispatcher =
        Dispatchers.of(
            new Workflow("test", tasks, files),
            AssignmentPolicy.DATA_AWARE,
            new Limits(3, 4),
            new WorkerSize(1, 1L << 30, 2));
    dispatcher.locate("far", Map.of("n2", 20_000_000L));
    dispatcher.locate("one", Map.of("n1", 200 * BYTES));
    dispatcher.locate("large", Map.of("n1", 100 * BYTES));
    dispatcher.locate("two", Map.of("n1", BYTES));
    dispatcher.workerJoined(W1, NOW);
    dispatcher.start(NOW);
    dispatcher.workerJoined(W2, NOW);
    assertThat(dispatcher.progress().running()).contains("run", "l1");

    List<Effect> effects = List.of();
    for (int i = 1; i <= 3; i++) {
      effects = read(dispatcher, Starts.of("w2", "l" + i, 1, List.of()), SLOW).effects();
    }

    assertThat(effects)
        .as("10 s over the link, and 3 s and 20 s to wait")
        .containsExactly(new Effect.Recall("w1", "second", 1));
  }

  @Test
  void idleWorkersDoNotHideTheOneWithBytes() {
    long large = 100 * BYTES;
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("one", new DataFile("one", 2 * large));
    files.put("two", new DataFile("two", 2 * large));
    files.put("both", new DataFile("both", large));
    Dispatcher dispatcher =
        Dispatchers.of(
            new Workflow(
                "test",
                List.of(reads("on1", "one"), reads("on2", "two"), reads("ahead", "both")),
                files),
            AssignmentPolicy.DATA_AWARE,
            new Limits(3, 4),
            new WorkerSize(1, 1L << 30, 1));
    dispatcher.locate("one", Map.of("n1", 2 * large));
    dispatcher.locate("two", Map.of("n2", 2 * large));
    dispatcher.locate("both", Map.of("n1", large, "n2", large - 1));
    dispatcher.workerJoined(W1, NOW);
    dispatcher.workerJoined(W2, NOW);
    assertThat(dispatcher.start(NOW).effects())
        .contains(Starts.of("w2", "on2", 1, List.of()), Starts.of("w1", "ahead", 1, List.of()));
    for (int i = 0; i < 40; i++) {
      assertThat(dispatcher.workerJoined(new WorkerInfo("x" + i, "m" + i, "/r"), NOW).effects())
          .as("3 s, and 10 s to bring it")
          .isEmpty();
    }

    Effect.Start done = Starts.of("w2", "on2", 1, List.of());
    Step step = dispatcher.reported("w2", Reports.succeeded(done, "n2", 1), NOW);

    assertThat(step.effects()).containsExactly(new Effect.Recall("w1", "ahead", 1));
  }

  @Test
  void onASlowLinkATaskWaitsUntilThatTakesLonger() {
    After after = afterReadingAt(SLOW);
    Dispatcher dispatcher = after.dispatcher();

    assertThat(after.step().effects()).as("3 s, and 10 s over the link").isEmpty();
    assertThat(dispatcher.tick(NOW + 20_000).effects()).as("5 s, perhaps").isEmpty();
    assertThat(dispatcher.tick(NOW + 60_000).effects())
        .as("15 s, by how long it has taken")
        .containsExactly(new Effect.Recall("w1", "ahead", 1));
  }
}
