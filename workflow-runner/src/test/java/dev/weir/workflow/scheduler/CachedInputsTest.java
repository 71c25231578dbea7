package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tasks go to nodes that cache their inputs. */
class CachedInputsTest {

  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");
  private static final Limits LIMITS = new Limits(3, 4);
  private static final long SIZE = 100L << 20;
  private static final long NOW = 1_000;

  /** Three tasks that read x, and then three that read y; only n9 has both files. */
  private static Dispatcher dispatcher(AssignmentPolicy policy) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("x", new DataFile("x", SIZE));
    files.put("y", new DataFile("y", SIZE));
    Workflow workflow =
        new Workflow(
            "test",
            List.of(
                task("x0", List.of("x"), List.of()),
                task("x1", List.of("x"), List.of()),
                task("x2", List.of("x"), List.of()),
                task("y0", List.of("y"), List.of()),
                task("y1", List.of("y"), List.of()),
                task("y2", List.of("y"), List.of())),
            files);
    Dispatcher dispatcher = Dispatchers.of(workflow, policy, LIMITS, WorkerSize.ONE_TASK);
    dispatcher.locate("x", Map.of("n9", SIZE));
    dispatcher.locate("y", Map.of("n9", SIZE));
    dispatcher.start(NOW);
    return dispatcher;
  }

  private static Effect.Start only(Step step) {
    List<Effect.Start> starts = starts(step);
    assertThat(starts).hasSize(1);
    return starts.get(0);
  }

  private static Effect.Start next(Dispatcher dispatcher, Effect.Start ended) {
    return only(dispatcher.reported(ended.worker(), Reports.succeeded(ended, "n1", 0), NOW));
  }

  @Test
  void aFreeWorkerGetsATaskWithCachedInputs() {
    Dispatcher dispatcher = dispatcher(AssignmentPolicy.DATA_AWARE);
    Effect.Start x0 = only(dispatcher.workerJoined(W1, NOW));
    assertThat(x0.task()).isEqualTo("x0");

    dispatcher.cached("w1", Map.of("y", SIZE), List.of(), NOW);

    Effect.Start y0 = next(dispatcher, x0);
    assertThat(y0.task()).as("the first that reads y").isEqualTo("y0");
    assertThat(only(dispatcher.workerJoined(W2, NOW)).task()).isEqualTo("x1");
    assertThat(next(dispatcher, y0).task()).isEqualTo("y1");
  }

  @Test
  void evictedFilesDoNotCount() {
    Dispatcher dispatcher = dispatcher(AssignmentPolicy.DATA_AWARE);
    Effect.Start x0 = only(dispatcher.workerJoined(W1, NOW));
    dispatcher.cached("w1", Map.of("y", SIZE), List.of(), NOW);
    dispatcher.cached("w1", Map.of(), List.of("y", "unknown"), NOW);

    assertThat(next(dispatcher, x0).task()).isEqualTo("x1");
  }

  @Test
  void theLastWorkerOfANodeTakesItsCacheAlong() {
    Dispatcher dispatcher = dispatcher(AssignmentPolicy.DATA_AWARE);
    only(dispatcher.workerJoined(W1, NOW));
    dispatcher.cached("w1", Map.of("y", SIZE), List.of(), NOW);
    dispatcher.workerLost("w1", "gone", NOW);

    assertThat(only(dispatcher.workerJoined(new WorkerInfo("w3", "n1", "/r"), NOW)).task())
        .isEqualTo("x0");
    dispatcher.cached("w1", Map.of("y", SIZE), List.of(), NOW);
    assertThat(only(dispatcher.workerJoined(W2, NOW)).task()).isEqualTo("x1");
  }

  @Test
  void fifoIgnoresCaches() {
    Dispatcher dispatcher = dispatcher(AssignmentPolicy.FIFO);
    Effect.Start x0 = only(dispatcher.workerJoined(W1, NOW));
    dispatcher.cached("w1", Map.of("y", SIZE), List.of(), NOW);

    assertThat(next(dispatcher, x0).task()).isEqualTo("x1");
  }

  @Test
  void cacheEntriesOfAFileEndWhenItIsMadeOrLost() {
    WorkflowState graph = Graphs.state(Graphs.chain(), WorkerSize.ONE_TASK, TaskProfiles.NONE);
    graph.start(NOW);
    graph.session().caches().add("n1", "fa", SIZE);

    graph.markDone(graph.task("a"), List.of(new StoredFile("fa", SIZE, Map.of("n9", SIZE))), NOW);
    assertThat(graph.session().caches().nodes("fa")).as("of an earlier content").isEmpty();

    graph.session().caches().add("n1", "fa", SIZE);
    graph.invalidate(graph.file("fa"));
    assertThat(graph.session().caches().nodes("fa")).as("the next will be another").isEmpty();
  }

  @Test
  void aTaskAheadIsTakenBackForANodeThatCachesItsInputs() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("big", new DataFile("big", 1_000 * SIZE));
    Workflow workflow =
        new Workflow(
            "test",
            List.of(task("a", List.of("big"), List.of()), task("b", List.of("big"), List.of())),
            files);
    Dispatcher dispatcher =
        Dispatchers.of(
            workflow, AssignmentPolicy.DATA_AWARE, LIMITS, new WorkerSize(1, 1L << 30, 2));
    dispatcher.locate("big", Map.of("n1", 1_000 * SIZE));
    dispatcher.start(NOW);
    dispatcher.workerJoined(W1, NOW);
    assertThat(dispatcher.workerJoined(W2, NOW).effects())
        .as("moving it takes longer than waiting")
        .doesNotContain(new Effect.Recall("w1", "b", 1));

    List<Effect> effects =
        dispatcher.cached("w2", Map.of("big", 1_000 * SIZE), List.of(), NOW).effects();

    assertThat(effects).anyMatch(Effect.Recall.class::isInstance);
  }
}
