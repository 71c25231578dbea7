package dev.weir.workflow.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.dispatch.Habits.Habit;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is learned from earlier runs counts where nothing is declared. */
class HabitsTest {

  private static final WorkerInfo WORKER = new WorkerInfo("w1", "n1", "/r");
  private static final WorkerInfo OTHER = new WorkerInfo("w2", "n2", "/r");
  private static final long GIB = 1L << 30;
  private static final Habits HABITS =
      new Habits(
          Map.of("long", new Habit(9, 100, 100, 120, GIB), "short", new Habit(9, 1, 1, 1, 0)));

  private static Task task(String id, String type, double runtime, long memory) {
    return new Task(
        id,
        type,
        List.of("true"),
        List.of(),
        List.of(),
        List.of(),
        runtime,
        new TaskNeeds(1, memory, 0));
  }

  private static Dispatcher dispatcher(WorkerSize size, Task... tasks) {
    Dispatcher dispatcher =
        new Dispatcher(Graphs.of(tasks), Policy.DATA_AWARE, Limits.DEFAULT, size, HABITS);
    dispatcher.start(0);
    return dispatcher;
  }

  private static List<Effect.Start> starts(Step step) {
    return step.effects().stream()
        .filter(effect -> effect instanceof Effect.Start)
        .map(Effect.Start.class::cast)
        .toList();
  }

  @Test
  void theTypeThatTookLongestGoesFirst() {
    Dispatcher dispatcher =
        dispatcher(WorkerSize.ONE_TASK, task("a", "short", 0, 0), task("b", "long", 0, 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(Effect.Start::task)
        .containsExactly("b");
  }

  @Test
  void whatIsDeclaredCountsMore() {
    Dispatcher dispatcher =
        dispatcher(WorkerSize.ONE_TASK, task("a", "short", 1_000, 0), task("b", "long", 0, 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(Effect.Start::task)
        .containsExactly("a");
  }

  @Test
  void memoryThatOthersOfTheTypeTookIsSetAsideWithAMargin() {
    Dispatcher dispatcher =
        dispatcher(new WorkerSize(4, 2 * GIB, 0), task("a", "long", 0, 0), task("b", "long", 0, 0));

    List<Effect.Start> first = starts(dispatcher.workerJoined(WORKER, 0));
    assertThat(first).as("one of them fits").hasSize(1);
    assertThat(first.get(0).needs().memoryBytes()).isEqualTo(GIB + GIB / 4);
    assertThat(dispatcher.wantedWorkers()).isEqualTo(2);
  }

  @Test
  void memoryThatIsDeclaredIsWhatItGets() {
    Dispatcher dispatcher =
        dispatcher(
            new WorkerSize(4, 2 * GIB, 0), task("a", "long", 0, GIB), task("b", "long", 0, GIB));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(start -> start.needs().memoryBytes())
        .containsExactly(GIB, GIB);
  }

  @Test
  void noMoreIsSetAsideThanAWorkerHas() {
    Dispatcher dispatcher = dispatcher(new WorkerSize(4, GIB / 2, 0), task("a", "long", 0, 0));

    assertThat(starts(dispatcher.workerJoined(WORKER, 0)))
        .extracting(start -> start.needs().memoryBytes())
        .containsExactly(GIB / 2);
  }

  @Test
  void aStragglerIsKnownByTheRunsBefore() {
    Dispatcher dispatcher = dispatcher(WorkerSize.ONE_TASK, task("a", "long", 0, 0));
    dispatcher.speculate(true);
    dispatcher.workerJoined(WORKER, 0);
    dispatcher.workerJoined(OTHER, 0);

    assertThat(starts(dispatcher.tick(TimeUnit.SECONDS.toMillis(199)))).isEmpty();
    assertThat(starts(dispatcher.tick(TimeUnit.SECONDS.toMillis(201))))
        .singleElement()
        .matches(Effect.Start::copy);
  }
}
