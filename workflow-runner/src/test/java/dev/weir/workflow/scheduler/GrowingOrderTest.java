package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.addition;
import static dev.weir.workflow.scheduler.Additions.plain;
import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order and the nodes of added tasks, and the worker demand. */
class GrowingOrderTest extends GrowingFixture {

  @Test
  void aTaskGoesToItsBytesInHdfs() {
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
  void aHigherPriorityGoesFirst() {
    effects(dispatcher.start(now));
    effects(growing.add(plain(task("a", List.of(), List.of())), now));
    effects(growing.add(addition(task("b", List.of(), List.of()), Map.of(), 1, 5), now));

    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("b");
  }

  @Test
  void anOverdueTaskGoesBeforeLocalOnes() {
    effects(dispatcher.start(now));
    effects(growing.add(plain(task("old", List.of(), List.of())), now));
    now += 60_000;
    Map<String, Map<String, Long>> here = Map.of("in", Map.of("n1", 1_000L));
    effects(growing.add(addition(task("new", List.of("in"), List.of()), here, 1, 0), now));

    assertThat(start(dispatcher.workerJoined(ON_N1, now)).task()).isEqualTo("old");
  }

  /** Jobs of one core, with local bytes, are added faster than they end. */
  @Test
  void aLargeTaskIsNotOvertakenIndefinitely() {
    for (int ahead : List.of(0, 2)) {
      Dispatcher dispatcher = growing(new WorkerSize(4, 100, ahead));
      List<Effect.Start> started = new ArrayList<>();
      dispatcher.start(now);
      started.addAll(starts(dispatcher.workerJoined(ON_N1, now)));
      for (int i = 0; i < 6; i++) {
        started.addAll(starts(addSmall(dispatcher, i)));
      }
      started.addAll(
          starts(dispatcher.add(plain(Graphs.idle("large", new ResourceNeeds(4, 0))), now)));

      for (int i = 6; i < 60 && !isNext(started, "large"); i++) {
        now += 1_000;
        started.addAll(starts(addSmall(dispatcher, i)));
        if (!started.isEmpty()) {
          Effect.Start first = started.remove(0);
          started.addAll(starts(dispatcher.reported("w1", Reports.succeeded(first, "n1", 1), now)));
        }
      }

      assertThat(started).as("%s ahead", ahead).extracting(Effect.Start::task).contains("large");
      assertThat(isNext(started, "large")).as("nothing began before it").isTrue();
    }
  }

  private static boolean isNext(List<Effect.Start> started, String task) {
    return !started.isEmpty() && started.get(0).task().equals(task);
  }

  private Step addSmall(Dispatcher dispatcher, int number) {
    Map<String, Map<String, Long>> here = Map.of("in", Map.of("n1", 1_000L));
    return dispatcher.add(addition(task("s" + number, List.of("in"), List.of()), here, 1, 0), now);
  }

  @Test
  void onlyIdleWorkersAreDismissed() {
    begin();
    now += 10;
    effects(dispatcher.workerJoined(ON_N2, now));
    Effect.Start a = start(growing.add(plain(task("a", List.of(), List.of())), now));
    String busy = a.worker();
    String free = busy.equals("w1") ? "w2" : "w1";

    assertThat(dispatcher.workerDemand().dismiss(5, now - 100)).isEmpty();
    assertThat(dispatcher.workerDemand().dismiss(0, now)).isEmpty();
    assertThat(dispatcher.workerDemand().dismiss(5, now)).containsExactly(free);
    assertThat(effects(dispatcher.reported(busy, Reports.succeeded(a, "n1", 1), now + 5)))
        .isEmpty();
    assertThat(dispatcher.workerDemand().dismiss(5, now)).as("busy until just now").isEmpty();
    assertThat(dispatcher.workerDemand().dismiss(5, now + 5)).containsExactly(busy);
    assertThat(dispatcher.progress().workers()).isZero();
  }

  @Test
  void demandsAsManyWorkersAsTheTasksFill() {
    Dispatcher large = growing(new WorkerSize(4, 100, 2));
    large.start(now);
    for (int i = 0; i < 5; i++) {
      large.add(plain(Graphs.idle("one" + i, ResourceNeeds.ONE_CORE)), now);
    }
    assertThat(large.workerDemand().wantedWorkers()).isEqualTo(2);
    large.add(plain(Graphs.idle("wide", new ResourceNeeds(3, 0))), now);
    assertThat(large.workerDemand().wantedWorkers()).isEqualTo(3);
    large.add(plain(Graphs.idle("hungry", new ResourceNeeds(1, 90))), now);
    assertThat(large.workerDemand().wantedWorkers()).isEqualTo(4);
    for (String id : List.of("one0", "one1", "one2", "one3", "one4", "wide", "hungry")) {
      large.cancel(id, now);
    }
    assertThat(large.workerDemand().wantedWorkers()).isZero();
  }

  @Test
  void profilesApplyWhenATaskIsAdded() {
    Map<String, TaskProfiles.Profile> known = new HashMap<>();
    WorkerSize size = new WorkerSize(4, 1_000, 0);
    Dispatcher learning =
        new Dispatcher(
            AssignmentPolicy.DATA_AWARE,
            new Limits(3, 4),
            size,
            task -> Optional.ofNullable(known.get(task.type())));
    effects(learning.start(now));
    effects(learning.workerJoined(ON_N1, now));

    Effect.Start first = start(learning.add(plain(task("a", List.of(), List.of())), now));
    known.put("type", new TaskProfiles.Profile(3, 1, 1, 1, 400, 1.8, 3));
    Effect.Start second = start(learning.add(plain(task("b", List.of(), List.of())), now));
    Step third = learning.add(plain(task("c", List.of(), List.of())), now);

    assertThat(first.needs()).isEqualTo(ResourceNeeds.ONE_CORE);
    assertThat(second.needs()).isEqualTo(new ResourceNeeds(2, 500));
    assertThat(effects(third)).as("one core is left").isEmpty();
  }
}
