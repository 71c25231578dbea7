package dev.weir.workflow.dispatch;

import static dev.weir.workflow.dispatch.Additions.addition;
import static dev.weir.workflow.dispatch.Additions.plain;
import static dev.weir.workflow.dispatch.Graphs.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.dispatch.DispatchRecord.GivenUp;
import dev.weir.workflow.protocol.Needs;
import dev.weir.workflow.protocol.TaskReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GrowingDispatcherTest {

  private static final WorkerInfo ON_N1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo ON_N2 = new WorkerInfo("w2", "n2", "/r");
  private static final Map<String, Long> NOWHERE = Map.of();

  private final List<DispatchRecord> journal = new ArrayList<>();
  private final GrowingDispatcher growing = growing(WorkerSize.ONE_TASK);
  private final Dispatcher dispatcher = growing.dispatcher();
  private long now = 1_000;

  private static GrowingDispatcher growing(WorkerSize size) {
    return new GrowingDispatcher(Policy.DATA_AWARE, new Limits(3, 4), size);
  }

  private Step note(Step step) {
    journal.addAll(step.records());
    return step;
  }

  private List<Effect> effects(Step step) {
    return note(step).effects();
  }

  private Effect.Start start(Step step) {
    return effects(step).stream()
        .filter(Effect.Start.class::isInstance)
        .map(Effect.Start.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private List<GivenUp> givenUp() {
    return journal.stream().filter(GivenUp.class::isInstance).map(GivenUp.class::cast).toList();
  }

  private void begin() {
    effects(dispatcher.start(now));
    effects(dispatcher.workerJoined(ON_N1, now));
  }

  @Test
  void anEmptyGraphIsNotAtItsEnd() {
    assertThat(effects(dispatcher.start(now))).isEmpty();
    assertThat(effects(dispatcher.workerJoined(ON_N1, now))).isEmpty();
    assertThat(dispatcher.progress().tasks()).isZero();
    assertThat(dispatcher.staffing().wanted()).isZero();
  }

  @Test
  void aTaskStartsAsItComesAndTheGraphGoesOnAfterIt() {
    begin();

    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    assertThat(a).isEqualTo(new Effect.Start("w1", "a", 1, List.of("fa")));
    assertThat(effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now))).isEmpty();

    assertThat(start(growing.add(plain(task("b", List.of(), List.of())), now)).task())
        .isEqualTo("b");
  }

  @Test
  void whatIsKnownOfATaskCountsFromItsComingOn() {
    Map<String, Habits.Habit> known = new HashMap<>();
    WorkerSize size = new WorkerSize(4, 1_000, 0);
    GrowingDispatcher learning =
        new GrowingDispatcher(
            Policy.DATA_AWARE,
            new Limits(3, 4),
            size,
            task -> Optional.ofNullable(known.get(task.type())));
    effects(learning.dispatcher().start(now));
    effects(learning.dispatcher().workerJoined(ON_N1, now));

    Effect.Start first = start(learning.add(plain(task("a", List.of(), List.of())), now));
    known.put("type", new Habits.Habit(3, 1, 1, 1, 400, 1.8, 3));
    Effect.Start second = start(learning.add(plain(task("b", List.of(), List.of())), now));
    Step third = learning.add(plain(task("c", List.of(), List.of())), now);

    assertThat(first.needs()).isEqualTo(Needs.ONE_CORE);
    assertThat(second.needs()).isEqualTo(new Needs(2, 500));
    assertThat(effects(third)).as("one core is left").isEmpty();
  }

  @Test
  void aTaskWaitsForWhatAnEarlierOneMakes() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));

    assertThat(effects(growing.add(plain(task("b", List.of("fa"), List.of("fb"))), now))).isEmpty();
    assertThat(growing.isMadeHere("fa")).isTrue();
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void aTaskGoesWhereTheBytesAreThatHdfsHolds() {
    effects(dispatcher.start(now));
    effects(dispatcher.workerJoined(ON_N1, now));
    effects(dispatcher.workerJoined(ON_N2, now));

    Effect.Start a =
        start(
            growing.add(
                addition(
                    task("a", List.of("in"), List.of()), Map.of("in", Map.of("n2", 100L)), 1, 0),
                now));

    assertThat(a.worker()).isEqualTo("w2");
  }

  @Test
  void refusesWhatCannotBeAddedAndSaysWhy() {
    begin();
    effects(growing.add(plain(task("a", List.of(), List.of("fa"))), now));

    assertThat(growing.refusal(plain(task("a", List.of(), List.of()))))
        .get()
        .asString()
        .contains("'a' already");
    assertThat(growing.refusal(plain(task("b", List.of("nothing"), List.of()))))
        .get()
        .asString()
        .contains("'nothing' is not in HDFS");
    assertThat(growing.refusal(plain(task("c", List.of(), List.of("fa")))))
        .get()
        .asString()
        .contains("task 'a' is about to make its output 'fa'");
    assertThat(growing.refusal(plain(Graphs.idle("d", new Needs(2, 0)))))
        .get()
        .asString()
        .contains("cores");
    assertThatThrownBy(() -> growing.add(plain(task("a", List.of(), List.of())), now))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> plain(task("e", List.of("x"), List.of("x"))))
        .hasMessageContaining("reads and writes 'x'");
  }

  @Test
  void aTaskThatFailsTakesThoseWithItThatNeedItAndNoOthers() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of("fb"))), now));
    effects(growing.add(plain(task("c", List.of("fb"), List.of())), now));
    effects(growing.add(plain(task("d", List.of(), List.of())), now));

    Effect.Start next = start(dispatcher.reported("w1", Reports.failed(a, 7), now));

    assertThat(next.task()).as("a may fail once").isEqualTo("d");
    assertThat(givenUp())
        .containsExactly(
            new GivenUp("a", "a", false, now),
            new GivenUp("b", "a", false, now),
            new GivenUp("c", "a", false, now));
    assertThat(growing.isMadeHere("fa")).isFalse();
    assertThat(dispatcher.staffing().wanted()).isEqualTo(1);
  }

  @Test
  void whatIsNotTheCommandsFaultIsTriedAgain() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of())), now));

    Effect.Start again =
        start(dispatcher.reported("w1", Reports.failed(a, TaskReport.NO_EXIT_CODE), now));

    assertThat(again.attempt()).isEqualTo(2);
    effects(dispatcher.reported("w1", Reports.failed(again, 1), now));
    assertThat(givenUp()).hasSize(1);
  }

  @Test
  void aTaskIsCancelledWhereverItIs() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of(), List.of())), now));
    effects(growing.add(plain(task("c", List.of("fa"), List.of())), now));

    assertThat(effects(growing.cancel("b", now))).isEmpty();
    assertThat(effects(growing.cancel("a", now))).containsExactly(new Effect.Stop("w1", "a", 1));
    assertThat(effects(growing.cancel("unknown", now))).isEmpty();

    assertThat(givenUp())
        .containsExactly(
            new GivenUp("b", "b", true, now),
            new GivenUp("a", "a", true, now),
            new GivenUp("c", "a", true, now));
    effects(dispatcher.reported("w1", Reports.failed(a, 143), now));
    assertThat(start(growing.add(plain(task("d", List.of(), List.of("fa"))), now)).task())
        .as("the worker is free, and the file may be made by another")
        .isEqualTo("d");
  }

  @Test
  void aFileMayBeMadeAnewOnceItsMakerIsOver() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("f"))), now));
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 1), now));

    Effect.Start b = start(growing.add(plain(task("b", List.of(), List.of("f"))), now));
    assertThat(effects(growing.add(plain(task("c", List.of("f"), List.of())), now)))
        .as("waits for the new one")
        .isEmpty();
    assertThat(start(dispatcher.reported("w1", Reports.succeeded(b, "n1", 1), now)).task())
        .isEqualTo("c");
  }

  @Test
  void whatOnlyADeadNodeHeldIsMadeAgain() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    effects(dispatcher.workerLost("w1", "gone", now));
    effects(dispatcher.workerJoined(ON_N2, now));

    Effect.Start b = start(growing.add(plain(task("b", List.of("fa"), List.of())), now));
    Effect.Start again = start(dispatcher.reported("w2", Reports.inputLost(b, "fa"), now));

    assertThat(again).isEqualTo(new Effect.Start("w2", "a", 2, List.of("fa")));
    assertThat(start(dispatcher.reported("w2", Reports.succeeded(again, "n2", 9), now)).task())
        .isEqualTo("b");
  }

  @Test
  void aHigherPriorityGoesFirst() {
    effects(dispatcher.start(now));
    effects(growing.add(plain(task("a", List.of(), List.of())), now));
    effects(growing.add(addition(task("b", List.of(), List.of()), Map.of(), 1, 5), now));

    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("b");
  }

  @Test
  void aTaskThatHasWaitedForLongGoesBeforeThoseWithBytes() {
    effects(dispatcher.start(now));
    effects(growing.add(plain(task("old", List.of(), List.of())), now));
    now += 60_000;
    Map<String, Map<String, Long>> here = Map.of("in", Map.of("n1", 1_000L));
    effects(growing.add(addition(task("new", List.of("in"), List.of()), here, 1, 0), now));

    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("old");
  }

  /** Jobs of one core, with their bytes where there is room, come faster than they end. */
  @Test
  void aLargeTaskIsNotOvertakenForEver() {
    for (int ahead : List.of(0, 2)) {
      GrowingDispatcher pool = growing(new WorkerSize(4, 100, ahead));
      List<Effect.Start> given = new ArrayList<>();
      pool.dispatcher().start(now);
      given.addAll(starts(pool.dispatcher().workerJoined(ON_N1, now)));
      for (int i = 0; i < 6; i++) {
        given.addAll(starts(addSmall(pool, i)));
      }
      given.addAll(starts(pool.add(plain(Graphs.idle("large", new Needs(4, 0))), now)));

      for (int i = 6; i < 60 && !isNext(given, "large"); i++) {
        now += 1_000;
        given.addAll(starts(addSmall(pool, i)));
        if (!given.isEmpty()) {
          Effect.Start first = given.remove(0);
          given.addAll(
              starts(pool.dispatcher().reported("w1", Reports.succeeded(first, "n1", 1), now)));
        }
      }

      assertThat(given).as("%s ahead", ahead).extracting(Effect.Start::task).contains("large");
      assertThat(isNext(given, "large")).as("nothing began before it").isTrue();
    }
  }

  private static boolean isNext(List<Effect.Start> given, String task) {
    return !given.isEmpty() && given.get(0).task().equals(task);
  }

  private Step addSmall(GrowingDispatcher pool, int number) {
    Map<String, Map<String, Long>> here = Map.of("in", Map.of("n1", 1_000L));
    return pool.add(addition(task("s" + number, List.of("in"), List.of()), here, 1, 0), now);
  }

  private static List<Effect.Start> starts(Step step) {
    return step.effects().stream()
        .filter(Effect.Start.class::isInstance)
        .map(Effect.Start.class::cast)
        .toList();
  }

  @Test
  void whatIsForgottenLeavesNothingBehind() {
    begin();
    Effect.Start a =
        start(
            growing.add(
                addition(task("a", List.of("in"), List.of("fa")), Map.of("in", NOWHERE), 1, 0),
                now));
    growing.forget(List.of("a", "unknown"));
    assertThat(dispatcher.progress().tasks()).as("not over yet").isEqualTo(1);
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of())), now));

    growing.forget(List.of("a"));

    assertThat(dispatcher.progress().tasks()).isEqualTo(1);
    assertThat(growing.isMadeHere("fa")).isFalse();
    assertThat(growing.refusal(plain(task("a", List.of(), List.of("fa"))))).isEmpty();
    assertThat(growing.refusal(plain(task("c", List.of("in"), List.of()))))
        .as("nobody knows the input any more")
        .isPresent();
  }

  @Test
  void workersWithNothingToDoAreDismissedAndNoOthers() {
    begin();
    now += 10;
    effects(dispatcher.workerJoined(ON_N2, now));
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of())), now));
    String busy = a.worker();
    String free = busy.equals("w1") ? "w2" : "w1";

    assertThat(dispatcher.staffing().dismiss(5, now - 100)).isEmpty();
    assertThat(dispatcher.staffing().dismiss(0, now)).isEmpty();
    assertThat(dispatcher.staffing().dismiss(5, now)).containsExactly(free);
    assertThat(effects(dispatcher.reported(busy, Reports.succeeded(a, "n1", 1), now + 5)))
        .isEmpty();
    assertThat(dispatcher.staffing().dismiss(5, now)).as("busy until just now").isEmpty();
    assertThat(dispatcher.staffing().dismiss(5, now + 5)).containsExactly(busy);
    assertThat(dispatcher.progress().workers()).isZero();
  }

  @Test
  void wantsAsManyWorkersAsTheTasksWouldFill() {
    GrowingDispatcher large = growing(new WorkerSize(4, 100, 2));
    large.dispatcher().start(now);
    for (int i = 0; i < 5; i++) {
      large.add(plain(Graphs.idle("one" + i, Needs.ONE_CORE)), now);
    }
    assertThat(large.dispatcher().staffing().wanted()).isEqualTo(2);
    large.add(plain(Graphs.idle("wide", new Needs(3, 0))), now);
    assertThat(large.dispatcher().staffing().wanted()).isEqualTo(3);
    large.add(plain(Graphs.idle("hungry", new Needs(1, 90))), now);
    assertThat(large.dispatcher().staffing().wanted()).isEqualTo(4);
    for (String id : List.of("one0", "one1", "one2", "one3", "one4", "wide", "hungry")) {
      large.cancel(id, now);
    }
    assertThat(large.dispatcher().staffing().wanted()).isZero();
  }

  /** Whatever comes, fails, is cancelled or restarted, each task ends one way and once. */
  @Test
  void randomGraphsComeToTheirEnd() {
    for (int seed = 0; seed < 200; seed++) {
      new RandomPool(seed).run();
    }
  }

  @Test
  void anInputThatWasMadeGoodCountsForNobodyAlsoWhenItsMakerIsForgotten() {
    begin();
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of("fa"))), now));
    effects(growing.add(plain(task("b", List.of("fa"), List.of())), now));
    for (int i = 0; i < 3; i++) {
      Effect.Start b = start(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));
      a = start(dispatcher.reported("w1", Reports.inputLost(b, "fa"), now));
    }
    effects(dispatcher.reported("w1", Reports.succeeded(a, "n1", 9), now));

    // As in a journal that was put together after the first task had been forgotten.
    GrowingDispatcher next = growing(WorkerSize.ONE_TASK);
    for (DispatchRecord record : journal) {
      if (record instanceof DispatchRecord.TaskAdded added) {
        if (added.addition().task().id().equals("b")) {
          assertThat(next.replay(record)).isTrue();
        }
      } else if (!(record instanceof DispatchRecord.FilesLost)) {
        next.replay(record);
      }
    }
    next.dispatcher().start(now);

    assertThat(start(next.dispatcher().workerJoined(ON_N2, now)))
        .isEqualTo(new Effect.Start("w2", "b", 4, List.of()));
    assertThat(next.dispatcher().progress().failedAttempts()).isZero();
  }
}
