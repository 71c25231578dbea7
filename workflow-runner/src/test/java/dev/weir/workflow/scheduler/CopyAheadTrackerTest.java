package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies ahead as the dispatcher orders them. */
class CopyAheadTrackerTest {

  private static final long SIZE = 200_000_000;
  private static final WorkerSize SIZE_OF_ALL = new WorkerSize(1, Long.MAX_VALUE, 0);

  private final Map<String, Effect.Start> started = new HashMap<>();
  private Dispatcher dispatcher;
  private long now;

  /** Two tasks make a and b, a long one makes c, and join reads all of them. */
  @BeforeEach
  void begin() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (String file : List.of("a", "b", "c")) {
      files.put(file, new DataFile(file, SIZE));
    }
    List<Task> tasks =
        List.of(
            task("makeA", List.of(), List.of("a")),
            task("makeB", List.of(), List.of("b")),
            new Task("makeC", "long", List.of("true"), List.of(), List.of("c"), 100),
            task("join", List.of("a", "b", "c"), List.of()));
    dispatcher =
        new Dispatcher(
            new Workflow("test", tasks, files),
            AssignmentPolicy.DATA_AWARE,
            Limits.DEFAULT,
            SIZE_OF_ALL);
    dispatcher.caches().copyAhead(true);
    dispatcher.start(now);
    for (String node : List.of("n1", "n2", "n3")) {
      note(dispatcher.workerJoined(new WorkerInfo("w" + node, node, "/r"), now));
    }
    assertThat(started).containsOnlyKeys("makeA", "makeB", "makeC");
  }

  private Step note(Step step) {
    starts(step).forEach(start -> started.put(start.task(), start));
    return step;
  }

  private Effect.Start begun(String task) {
    return Objects.requireNonNull(started.get(task), () -> task + " has not begun");
  }

  private String node(String task) {
    return begun(task).worker().substring(1);
  }

  private Step ended(String task) {
    Effect.Start start = begun(task);
    return note(
        dispatcher.reported(start.worker(), Reports.succeeded(start, node(task), size(task)), now));
  }

  private static long size(String task) {
    return task.equals("makeC") ? 3 * SIZE : SIZE;
  }

  private Step tick() {
    now += 1_000;
    return note(dispatcher.tick(now));
  }

  /** makeA and makeB have ended, and the copy that pays then is ordered. */
  private Effect.Copy copy() {
    ended("makeA");
    ended("makeB");
    List<Effect> effects = tick().effects();
    assertThat(effects).hasSize(1);
    return (Effect.Copy) effects.get(0);
  }

  private Step over(Effect.Copy copy, long bytes, boolean hasRoom) {
    return note(dispatcher.caches().copied(copy.worker(), copy.number(), bytes, hasRoom, now));
  }

  @Test
  void anInputIsCopiedAheadWhileAnotherIsMade() {
    Effect.Copy copy = copy();

    String worker = begun("makeC").worker();
    assertThat(copy).isEqualTo(new Effect.Copy(worker, 1, "a", node("makeA")));
    assertThat(tick().effects()).as("one is under way").isEmpty();

    dispatcher.caches().cached(worker, Map.of("a", SIZE), List.of(), now);
    now += 250;
    Effect.Copy next = new Effect.Copy(worker, 2, "b", node("makeB"));
    assertThat(over(copy, SIZE, true).effects()).containsExactly(next);
    dispatcher.caches().cached(worker, Map.of("b", SIZE), List.of(), now);
    assertThat(over(next, SIZE, true).effects()).as("it has both").isEmpty();
    ended("makeC");

    Effect.Start join = begun("join");
    assertThat(join.worker()).isEqualTo(worker);
    assertThat(join.ahead()).containsExactly("a", "b");
    ended("join");
    assertThat(dispatcher.caches().copiedAhead())
        .isEqualTo(new CopyAheadTotals(2 * SIZE, 2 * SIZE));
  }

  @Test
  void nothingIsCopiedWhenSwitchedOff() {
    dispatcher.caches().copyAhead(false);
    ended("makeA");
    ended("makeB");

    assertThat(tick().effects()).isEmpty();
  }

  @Test
  void anAssignedTaskWaitsForTheCopyInsteadOfReadingTheFile() {
    Effect.Copy copy = copy();

    ended("makeC");

    Effect.Start join = begun("join");
    assertThat(join.worker()).isEqualTo(copy.worker());
    assertThat(join.ahead()).containsExactly(copy.file());
  }

  @Test
  void aCopyWithoutRoomIsRetriedLater() {
    Effect.Copy copy = copy();

    assertThat(over(copy, 0, false).effects()).isEmpty();
    assertThat(tick().effects()).as("the node has no room").isEmpty();
    now += 30_000;
    assertThat(tick().effects()).hasSize(1);
    assertThat(dispatcher.caches().copiedAhead()).isEqualTo(new CopyAheadTotals(0, 0));
  }

  @Test
  void copiesWithoutReadersAreDropped() {
    Effect.Copy copy = copy();
    over(copy, SIZE, true);

    note(dispatcher.steer("", "1", Steering.of(Steering.Action.CANCEL, "join"), now));

    assertThat(tick().effects()).containsExactly(new Effect.Drop(copy.worker(), copy.file()));
    assertThat(dispatcher.caches().copiedAhead()).isEqualTo(new CopyAheadTotals(SIZE, 0));
  }

  @Test
  void aLostWorkerTakesItsCopiesAlong() {
    Effect.Copy copy = copy();

    note(dispatcher.workerLost(copy.worker(), "killed", now));

    over(copy, SIZE, true);
    assertThat(dispatcher.caches().copiedAhead()).isEqualTo(new CopyAheadTotals(0, 0));
  }

  @Test
  void reportsOfUnknownCopiesAreIgnored() {
    Effect.Copy copy = copy();

    dispatcher.caches().copied("stranger", copy.number(), SIZE, true, now);
    dispatcher.caches().copied(copy.worker(), 99, SIZE, true, now);

    assertThat(dispatcher.caches().copiedAhead()).isEqualTo(new CopyAheadTotals(0, 0));
  }

  /** The same with makeF, and pull, which reads the files of all but makeC. */
  private void beginWithPull() {
    started.clear();
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (String file : List.of("a", "b", "c", "e", "g")) {
      files.put(file, new DataFile(file, SIZE));
    }
    files.put("f", new DataFile("f", 3 * SIZE));
    List<Task> tasks =
        List.of(
            task("makeA", List.of(), List.of("a", "e")),
            task("makeB", List.of(), List.of("b", "g")),
            new Task("makeC", "long", List.of("true"), List.of(), List.of("c"), 100),
            new Task("makeF", "long", List.of("true"), List.of(), List.of("f"), 90),
            task("join", List.of("a", "b", "c"), List.of()),
            task("pull", List.of("e", "f", "g"), List.of()));
    dispatcher =
        new Dispatcher(
            new Workflow("test", tasks, files),
            AssignmentPolicy.DATA_AWARE,
            Limits.DEFAULT,
            SIZE_OF_ALL);
    dispatcher.caches().copyAhead(true);
    dispatcher.start(now);
    for (String node : List.of("n1", "n2", "n3", "n4")) {
      note(dispatcher.workerJoined(new WorkerInfo("w" + node, node, "/r"), now));
    }
  }

  private static List<Effect.Pace> estimates(Step step) {
    return step.effects().stream()
        .filter(Effect.Pace.class::isInstance)
        .map(Effect.Pace.class::cast)
        .toList();
  }

  @Test
  void aCopyIsPausedWhileItsSourceSendsInputs() {
    beginWithPull();
    ended("makeA");
    ended("makeB");
    Effect.Copy copy =
        (Effect.Copy)
            tick().effects().stream()
                .filter(
                    effect ->
                        effect instanceof Effect.Copy some
                            && Set.of("a", "b").contains(some.file()))
                .findFirst()
                .orElseThrow();
    Effect.Start makeF = begun("makeF");

    Step pull =
        note(
            dispatcher.reported(
                makeF.worker(), Reports.succeeded(makeF, node("makeF"), 3 * SIZE), now));

    assertThat(node("pull")).isEqualTo(node("makeF"));
    assertThat(estimates(pull)).contains(new Effect.Pace(copy.worker(), copy.number(), true));
    assertThat(estimates(ended("pull")))
        .contains(new Effect.Pace(copy.worker(), copy.number(), false));
  }

  @Test
  void expiredLinkDemandPausesNoCopy() {
    beginWithPull();
    ended("makeA");
    ended("makeB");
    tick();
    Effect.Start makeF = begun("makeF");
    note(
        dispatcher.reported(
            makeF.worker(), Reports.succeeded(makeF, node("makeF"), 3 * SIZE), now));

    now += 30_000;

    assertThat(estimates(tick())).isNotEmpty().allMatch(pace -> !pace.waits());
  }
}
