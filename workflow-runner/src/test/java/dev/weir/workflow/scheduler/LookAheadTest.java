package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Graphs.idle;
import static dev.weir.workflow.scheduler.Graphs.task;
import static dev.weir.workflow.scheduler.Starts.starts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workers with several tasks: running ones, side by side, and tasks ahead. */
class LookAheadTest {
  private static final WorkerInfo W1 = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo W2 = new WorkerInfo("w2", "n2", "/r");
  private static final Limits LIMITS = new Limits(3, 4);
  private static final long GIB = 1L << 30;
  private static final long NOW = 1_000;

  private static Dispatcher dispatcher(WorkerSize size, Task... tasks) {
    Dispatcher dispatcher =
        Dispatchers.of(Graphs.of(tasks), AssignmentPolicy.DATA_AWARE, LIMITS, size);
    dispatcher.start(NOW);
    return dispatcher;
  }

  private static WorkerSize ahead(int tasks) {
    return new WorkerSize(1, GIB, tasks);
  }

  private static Task[] small(int count) {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(idle("t" + i, ResourceNeeds.ONE_CORE));
    }
    return tasks.toArray(Task[]::new);
  }

  private static List<String> names(Step step) {
    return starts(step).stream().map(Effect.Start::task).toList();
  }

  @Test
  void aWorkerGetsTasksToRunAndTasksAhead() {
    Dispatcher dispatcher = dispatcher(ahead(2), small(5));

    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));

    assertThat(started).extracting(Effect.Start::task).containsExactly("t0", "t1", "t2");
    assertThat(dispatcher.progress().running()).containsExactly("t0");
    assertThat(dispatcher.progress().ready()).isEqualTo(4);
    assertThat(names(dispatcher.reported("w1", Reports.succeeded(started.get(0), "n1", 0), NOW)))
        .containsExactly("t3");
    assertThat(dispatcher.progress().running()).containsExactly("t1");
  }

  @Test
  void aTaskAheadIsTakenBackForAnIdleWorker() {
    Dispatcher dispatcher = dispatcher(ahead(2), small(3));
    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));

    Step idle = dispatcher.workerJoined(W2, NOW);

    assertThat(idle.effects()).containsExactly(new Effect.Recall("w1", "t1", 1));
    Step back = dispatcher.reported("w1", Reports.recalled(started.get(1)), NOW);
    assertThat(back.effects()).contains(Starts.of("w2", "t1", 2, List.of()));
    assertThat(back.records()).as("nothing has happened").isEmpty();
    assertThat(dispatcher.progress().failedAttempts()).isZero();
  }

  @Test
  void aTaskIsAssignedAgainOnlyAfterItsWorkerHasGivenItBack() {
    Dispatcher dispatcher = dispatcher(ahead(1), small(2));
    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));
    assertThat(dispatcher.workerJoined(W2, NOW).effects())
        .containsExactly(new Effect.Recall("w1", "t1", 1));

    Step first = dispatcher.reported("w1", Reports.succeeded(started.get(0), "n1", 0), NOW);
    assertThat(first.effects()).as("it may have begun").isEmpty();
    Step second = dispatcher.reported("w1", Reports.succeeded(started.get(1), "n1", 0), NOW);

    assertThat(second.effects()).containsExactly(new Effect.Check("", List.of()));
  }

  @Test
  void aTaskIsTakenBackOnlyWhereMovingItsInputsPays() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("big", new DataFile("big", 100 * GIB));
    Workflow workflow =
        new Workflow(
            "test",
            List.of(task("a", List.of("big"), List.of()), task("b", List.of("big"), List.of())),
            files);
    Dispatcher dispatcher = Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, LIMITS, ahead(2));
    dispatcher.locate("big", Map.of("n1", 100 * GIB));
    dispatcher.start(NOW);
    dispatcher.workerJoined(W1, NOW);

    assertThat(dispatcher.workerJoined(W2, NOW).effects())
        .as("a second of waiting is less than a quarter of an hour of copying")
        .isEmpty();
  }

  @Test
  void aTaskIsNotAheadOnANodeWithoutItsBytes() {
    Workflow workflow =
        Graphs.of(
            task("here", List.of("in1"), List.of("f1")),
            task("there", List.of("in2"), List.of("f2")),
            task("there too", List.of("in2"), List.of("f3")));
    Dispatcher dispatcher = Dispatchers.of(workflow, AssignmentPolicy.DATA_AWARE, LIMITS, ahead(1));
    dispatcher.locate("in1", Map.of("n1", 1000L));
    dispatcher.locate("in2", Map.of("n2", 1000L));
    dispatcher.workerJoined(W1, NOW);
    dispatcher.workerJoined(W2, NOW);

    assertThat(starts(dispatcher.start(NOW)))
        .extracting(Effect.Start::worker, Effect.Start::task)
        .containsExactly(tuple("w1", "here"), tuple("w2", "there"), tuple("w2", "there too"));
  }

  @Test
  void allTasksOfALostWorkerGoToOthers() {
    Dispatcher dispatcher = dispatcher(ahead(2), small(3));
    dispatcher.workerJoined(W1, NOW);

    Step lost = dispatcher.workerLost("w1", "killed", NOW);

    assertThat(lost.records())
        .extracting(record -> ((AttemptEnded) record).report().task())
        .containsExactly("t0", "t1", "t2");
    assertThat(dispatcher.progress().failedAttempts()).isEqualTo(3);
    assertThat(starts(dispatcher.workerJoined(W2, NOW)))
        .extracting(Effect.Start::attempt)
        .containsExactly(2, 2, 2);
  }

  @Test
  void aLateReportOfATaskTakenBackIsIgnored() {
    Dispatcher dispatcher = dispatcher(ahead(1), small(2));
    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));
    dispatcher.workerJoined(W2, NOW);
    dispatcher.reported("w1", Reports.recalled(started.get(1)), NOW);

    Step late = dispatcher.reported("w1", Reports.succeeded(started.get(1), "n1", 0), NOW);

    assertThat(late.records()).isEmpty();
    assertThat(dispatcher.progress().done()).isZero();
  }

  @Test
  void smallTasksShareCoresAndMemory() {
    Dispatcher dispatcher =
        dispatcher(
            new WorkerSize(4, GIB, 0),
            idle("a", new ResourceNeeds(2, 0)),
            idle("b", new ResourceNeeds(1, GIB / 2)),
            idle("c", new ResourceNeeds(1, GIB)),
            idle("d", new ResourceNeeds(1, GIB / 2)));

    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));

    assertThat(started).extracting(Effect.Start::task).containsExactly("a", "b", "d");
    dispatcher.reported("w1", Reports.succeeded(started.get(1), "n1", 0), NOW);
    assertThat(names(dispatcher.reported("w1", Reports.succeeded(started.get(2), "n1", 0), NOW)))
        .containsExactly("c");
  }

  @Test
  void aSmallTaskDoesNotOvertakeALargeOneAhead() {
    Dispatcher dispatcher =
        dispatcher(
            new WorkerSize(2, GIB, 1),
            idle("one", ResourceNeeds.ONE_CORE),
            idle("two", new ResourceNeeds(2, 0)),
            idle("three", ResourceNeeds.ONE_CORE));

    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));

    assertThat(started).extracting(Effect.Start::task).containsExactly("one", "three", "two");
    dispatcher.reported("w1", Reports.succeeded(started.get(1), "n1", 0), NOW);
    assertThat(dispatcher.progress().running()).containsExactly("one");
    dispatcher.reported("w1", Reports.succeeded(started.get(0), "n1", 0), NOW);
    assertThat(dispatcher.progress().running()).containsExactly("two");
  }

  @Test
  void aTaskLargerThanAWorkerIsRefused() {
    assertThatThrownBy(() -> dispatcher(ahead(0), idle("large", new ResourceNeeds(2, 0))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'large'");
    assertThatThrownBy(() -> dispatcher(ahead(0), idle("large", new ResourceNeeds(1, 2 * GIB))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'large'");
  }

  @Test
  void aTaskWithManyInputsIsReadyWithTheLastOfThem() {
    List<Task> tasks = new ArrayList<>();
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      made.add("f" + i);
      tasks.add(task("t" + i, List.of(), List.of("f" + i)));
    }
    tasks.add(task("join", made, List.of("end")));
    Dispatcher dispatcher = dispatcher(new WorkerSize(50, GIB, 0), tasks.toArray(Task[]::new));
    List<Effect.Start> started = starts(dispatcher.workerJoined(W1, NOW));

    for (Effect.Start start : started.subList(0, 49)) {
      assertThat(dispatcher.reported("w1", Reports.succeeded(start, "n1", 1), NOW).effects())
          .isEmpty();
    }
    assertThat(names(dispatcher.reported("w1", Reports.succeeded(started.get(49), "n1", 1), NOW)))
        .containsExactly("join");
  }
}
