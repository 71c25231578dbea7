package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies ahead to a node whose tasks read the same files, and copies that fail. */
class AheadReadersTest {

  private static final long MB = 1_000_000;
  private static final long REST_MILLIS = 30_000;

  private final StepBuilder stepBuilder = new StepBuilder();
  private WorkflowState graph;
  private Assignments assignments;
  private CopyAheadTracker cacheUpdates;
  private WorkerState worker;
  private long now;

  /**
   * makeC makes c on n1 for a long time. join waits for it, and also reads a and b. Other tasks,
   * which are paused, read a or other files. All inputs are on n8 and n9.
   */
  @BeforeEach
  void begin() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("a", new DataFile("a", 300 * MB));
    files.put("b", new DataFile("b", 200 * MB));
    files.put("c", new DataFile("c", 900 * MB));
    files.put("e", new DataFile("e", 500 * MB));
    List<Task> tasks =
        List.of(
            new Task("makeC", "long", List.of("true"), List.of(), List.of("c"), 1_000),
            task("join", List.of("a", "b", "c"), List.of()),
            task("reader", List.of("a"), List.of()),
            task("pull", List.of("e"), List.of()));
    WorkerSize size = new WorkerSize(4, Long.MAX_VALUE, 0);
    graph =
        new WorkflowState(
            new Workflow("test", tasks, files),
            AssignmentPolicy.DATA_AWARE,
            size,
            TaskProfiles.NONE);
    graph.locate(new StoredFile("a", 300 * MB, Map.of("n9", 300 * MB)));
    graph.locate(new StoredFile("b", 200 * MB, Map.of("n8", 200 * MB)));
    graph.locate(new StoredFile("e", 500 * MB, Map.of("n9", 500 * MB)));
    WorkerSet workers = new WorkerSet(size);
    SchedulerContext context = new SchedulerContext(graph, workers, stepBuilder);
    assignments = context.assignments();
    graph.allowCopyAhead(true);
    cacheUpdates =
        new CopyAheadTracker(
            Graphs.session(graph), graph.caches(), workers, stepBuilder, context.readRate());
    cacheUpdates.graphsChanged();
    assignments.setInputListener(cacheUpdates);
    graph.task("reader").hold();
    graph.task("pull").hold();
    graph.start(now);
    workers.join(new WorkerInfo("w1", "n1", "/r"), now);
    worker = Objects.requireNonNull(workers.get("w1"));
    assignments.assign(graph.task("makeC"), worker);
    stepBuilder.end();
  }

  private void give(String id) {
    TaskState task = graph.task(id);
    task.release();
    graph.offer(task, now);
    assignments.assign(task, worker);
  }

  private List<Effect> tickAfter(long millis) {
    now += millis;
    stepBuilder.begin(now);
    cacheUpdates.tick();
    return stepBuilder.end().effects();
  }

  private Effect.Copy copyAfter(long millis) {
    List<Effect> effects = tickAfter(millis);
    assertThat(effects).hasSize(1).hasOnlyElementsOfType(Effect.Copy.class);
    return (Effect.Copy) effects.get(0);
  }

  private void failed(Effect.Copy copy) {
    cacheUpdates.over(copy.worker(), copy.number(), 0, true);
  }

  @Test
  void filesReadByATaskOfTheNodeAreNotCopiedThere() {
    give("reader");
    stepBuilder.end();

    // The demand has long expired; the task may still be reading.
    Effect.Copy copy = copyAfter(60_000);
    assertThat(copy.file()).isEqualTo("b");
    cacheUpdates.over(copy.worker(), copy.number(), 200 * MB, true);
    graph.caches().add("n1", "b", 200 * MB);
    assertThat(tickAfter(1_000)).isEmpty();

    assignments.unassign(worker, graph.task("reader"));
    assertThat(copyAfter(1_000).file()).isEqualTo("a");
  }

  @Test
  void aPausedCopyResumesWhenATaskNeedsIt() {
    Effect.Copy copy = copyAfter(1_000);
    assertThat(copy).isEqualTo(new Effect.Copy("w1", 1, "a", "n9"));

    give("pull");
    assertThat(stepBuilder.end().effects()).contains(new Effect.Pace("w1", 1, true));
    give("reader");
    List<Effect> effects = stepBuilder.end().effects();

    assertThat(effects).contains(new Effect.Pace("w1", 1, false));
    assertThat(effects)
        .filteredOn(Effect.Start.class::isInstance)
        .map(effect -> ((Effect.Start) effect).ahead())
        .containsExactly(List.of("a"));
    assertThat(tickAfter(1_000)).as("the copy waits for no task").isEmpty();
  }

  @Test
  void aFailedCopyDoesNotBlockOthersToItsNode() {
    Effect.Copy copy = copyAfter(1_000);
    assertThat(copy.file()).isEqualTo("a");

    failed(copy);

    assertThat(copyAfter(1_000).file()).isEqualTo("b");
  }

  @Test
  void aFileWhoseCopiesAlwaysFailIsNotCopiedAnyMore() {
    Effect.Copy copy = copyAfter(1_000);
    failed(copy);
    Effect.Copy other = copyAfter(1_000);
    cacheUpdates.over(other.worker(), other.number(), 200 * MB, true);
    graph.caches().add("n1", "b", 200 * MB);
    for (int i = 1; i < CopyAheadBackoff.MOST_FAILURES; i++) {
      assertThat(tickAfter(REST_MILLIS / 2)).as("it rests").isEmpty();
      copy = copyAfter(REST_MILLIS);
      assertThat(copy.file()).isEqualTo("a");
      failed(copy);
    }

    assertThat(tickAfter(2 * REST_MILLIS)).isEmpty();
    cacheUpdates.kept(List.of("a"));
    assertThat(copyAfter(1_000).file()).as("some node could keep it").isEqualTo("a");
  }

  @Test
  void manyEndsOfCopiesCauseOnePlan() {
    Effect.Copy copy = copyAfter(1_000);
    cacheUpdates.over(copy.worker(), copy.number(), 300 * MB, true);
    graph.caches().add("n1", "a", 300 * MB);

    stepBuilder.begin(now + 100);
    cacheUpdates.next();
    assertThat(stepBuilder.end().effects()).as("it was planned just now").isEmpty();
    stepBuilder.begin(now + 500);
    cacheUpdates.next();

    assertThat(stepBuilder.end().effects()).hasOnlyElementsOfType(Effect.Copy.class).hasSize(1);
  }
}
