package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The wait for a busy worker ends when something else delays the task. */
class ReadyTasksTest {

  private static final long NOW = 100_000;

  private final ReadyTasks ready =
      new ReadyTasks(
          new TaskQueue(AssignmentPolicy.DATA_AWARE, new CacheIndex(1)),
          new TaskQueue(AssignmentPolicy.DATA_AWARE, new CacheIndex(1)),
          task -> true);
  private final TaskState task =
      Graphs.state(
          new Task("t", "type", List.of("run"), List.of(), List.of(), 1), List.of(), List.of(), 1);

  @BeforeEach
  void aTaskHasWaited() {
    ready.start();
    task.startWait(NOW - 50_000);
  }

  @Test
  void theWaitCountsWhenNothingElseDelaysTheTask() {
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isTrue();
  }

  @Test
  void theWaitEndsWhenTheTaskIsPutBack() {
    ready.offer(task, NOW);
    ready.putBack(task);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }

  @Test
  void theWaitEndsWhenTheGraphIsPaused() {
    ready.pause(true);
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }

  @Test
  void theWaitEndsWhenAnInputIsMissing() {
    task.dependencyLost();
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }

  @Test
  void theWaitEndsWhenTheTaskIsDelayed() {
    task.delayUntil(NOW + 1_000);
    ready.offer(task, NOW);

    assertThat(task.hasWaitedForWorker()).isFalse();
  }
}
