package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a task has waited for a busy worker does not count when something else has kept it. */
class ReadyTasksTest {

  private static final long NOW = 100_000;

  private final ReadyTasks ready =
      new ReadyTasks(new TaskQueue(Policy.DATA_AWARE, new CacheIndex(1)));
  private final TaskState task =
      Graphs.state(
          new Task("t", "type", List.of("run"), List.of(), List.of(), 1), List.of(), List.of(), 1);

  @BeforeEach
  void itHasWaited() {
    ready.start();
    task.waitingSince = NOW - 50_000;
  }

  @Test
  void itCountsWhenNothingElseHasKeptIt() {
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isTrue();
  }

  @Test
  void itDoesNotCountWhenTheTaskWasPutBack() {
    ready.offer(task, NOW);
    ready.putBack(task);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }

  @Test
  void itDoesNotCountWhenAllArePaused() {
    ready.pause(true);
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }

  @Test
  void itDoesNotCountWhenTheTaskMissesAnInput() {
    task.missing = 1;
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }

  @Test
  void itDoesNotCountWhenTheTaskRests() {
    task.delayedUntil = NOW + 1_000;
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }
}
