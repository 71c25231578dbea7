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

/** Copies to a node whose tasks read the same files, and copies that come to nothing. */
class AheadReadersTest {

  private static final long MB = 1_000_000;
  private static final long REST_MILLIS = 30_000;

  private final StepBuilder turn = new StepBuilder();
  private WorkflowState board;
  private Assignments hands;
  private CopyAheadTracker desk;
  private WorkerState worker;
  private long now;

  /**
   * On n1 makeC makes c for a long time, and join waits for it, which reads a and b, too. Others
   * that are held back read a, or something else. All inputs are on n8 and n9.
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
    board =
        new WorkflowState(
            new Workflow("test", tasks, files), Policy.DATA_AWARE, size, TaskProfiles.NONE);
    board.locate(new StoredFile("a", 300 * MB, Map.of("n9", 300 * MB)));
    board.locate(new StoredFile("b", 200 * MB, Map.of("n8", 200 * MB)));
    board.locate(new StoredFile("e", 500 * MB, Map.of("n9", 500 * MB)));
    WorkerSet crew = new WorkerSet(size);
    SchedulerContext scene = new SchedulerContext(board, crew, turn);
    hands = scene.hands();
    board.copiesAhead = true;
    desk =
        new CopyAheadTracker(Graphs.session(board), board.caches(), crew, turn, scene.readRate());
    desk.graphsChanged();
    hands.watchedBy(desk);
    board.task("reader").held = true;
    board.task("pull").held = true;
    board.start(now);
    crew.join(new WorkerInfo("w1", "n1", "/r"), now);
    worker = Objects.requireNonNull(crew.get("w1"));
    hands.give(board.task("makeC"), worker);
    turn.end();
  }

  private void give(String id) {
    TaskState task = board.task(id);
    task.held = false;
    board.wake(task, now);
    hands.give(task, worker);
  }

  private List<Effect> tickAfter(long millis) {
    now += millis;
    turn.begin(now);
    desk.tick();
    return turn.end().effects();
  }

  private Effect.Copy copyAfter(long millis) {
    List<Effect> effects = tickAfter(millis);
    assertThat(effects).hasSize(1).hasOnlyElementsOfType(Effect.Copy.class);
    return (Effect.Copy) effects.get(0);
  }

  private void failed(Effect.Copy copy) {
    desk.over(copy.worker(), copy.number(), 0, true);
  }

  @Test
  void whatATaskOfTheNodeReadsIsNotCopiedThere() {
    give("reader");
    turn.end();

    // The demand has long expired; the task may still be reading.
    Effect.Copy copy = copyAfter(60_000);
    assertThat(copy.file()).isEqualTo("b");
    desk.over(copy.worker(), copy.number(), 200 * MB, true);
    board.caches().keep("n1", "b", 200 * MB);
    assertThat(tickAfter(1_000)).isEmpty();

    hands.takeFrom(worker, board.task("reader"));
    assertThat(copyAfter(1_000).file()).isEqualTo("a");
  }

  @Test
  void aCopyThatWaitsGoesOnWhenATaskWaitsForIt() {
    Effect.Copy copy = copyAfter(1_000);
    assertThat(copy).isEqualTo(new Effect.Copy("w1", 1, "a", "n9"));

    give("pull");
    assertThat(turn.end().effects()).contains(new Effect.Pace("w1", 1, true));
    give("reader");
    List<Effect> effects = turn.end().effects();

    assertThat(effects).contains(new Effect.Pace("w1", 1, false));
    assertThat(effects)
        .filteredOn(Effect.Start.class::isInstance)
        .map(effect -> ((Effect.Start) effect).ahead())
        .containsExactly(List.of("a"));
    assertThat(tickAfter(1_000)).as("it waits for nobody").isEmpty();
  }

  @Test
  void aCopyThatComesToNothingKeepsNoOtherFromItsNode() {
    Effect.Copy copy = copyAfter(1_000);
    assertThat(copy.file()).isEqualTo("a");

    failed(copy);

    assertThat(copyAfter(1_000).file()).isEqualTo("b");
  }

  @Test
  void aFileOfWhichCopiesAlwaysComeToNothingIsLeftAlone() {
    Effect.Copy copy = copyAfter(1_000);
    failed(copy);
    Effect.Copy other = copyAfter(1_000);
    desk.over(other.worker(), other.number(), 200 * MB, true);
    board.caches().keep("n1", "b", 200 * MB);
    for (int i = 1; i < CopyAheadBackoff.MOST_FAILURES; i++) {
      assertThat(tickAfter(REST_MILLIS / 2)).as("it rests").isEmpty();
      copy = copyAfter(REST_MILLIS);
      assertThat(copy.file()).isEqualTo("a");
      failed(copy);
    }

    assertThat(tickAfter(2 * REST_MILLIS)).isEmpty();
    desk.kept(List.of("a"));
    assertThat(copyAfter(1_000).file()).as("some node could keep it").isEqualTo("a");
  }

  @Test
  void whenManyCopiesEndItIsPlannedOnce() {
    Effect.Copy copy = copyAfter(1_000);
    desk.over(copy.worker(), copy.number(), 300 * MB, true);
    board.caches().keep("n1", "a", 300 * MB);

    turn.begin(now + 100);
    desk.next();
    assertThat(turn.end().effects()).as("it was planned just now").isEmpty();
    turn.begin(now + 500);
    desk.next();

    assertThat(turn.end().effects()).hasOnlyElementsOfType(Effect.Copy.class).hasSize(1);
  }
}
