package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a busy worker will have room for a task. */
class WorkerRoomTest {

  private static final double ENDLESS = Double.POSITIVE_INFINITY;

  /** Four cores, of which three are busy for 1, 2 and 3 s. */
  private static WorkerState busy() {
    WorkerState worker =
        new WorkerState(new WorkerInfo("w", "n1", "/r"), new WorkerSize(4, 1L << 30, 2), null);
    IntStream.range(1, 4).forEach(seconds -> worker.take(state("t" + seconds, 1, seconds)));
    return worker;
  }

  private static TaskState state(String id, int cores, double seconds) {
    TaskNeeds needs = new TaskNeeds(cores, 0, 0);
    Task task = new Task(id, id, List.of("true"), List.of(), List.of(), List.of(), seconds, needs);
    return Graphs.state(task, List.of(), List.of(), 0);
  }

  private static double room(WorkerState worker, int cores) {
    ToDoubleFunction<TaskState> declared =
        task -> task.task().runtimeSeconds() > 0 ? task.task().runtimeSeconds() : ENDLESS;
    return worker.roomAfter(new ResourceNeeds(cores, 0), declared);
  }

  @Test
  void aLargeTaskWaitsForItsOwnRoom() {
    assertThat(room(busy(), 1)).as("a core is free").isZero();
    assertThat(room(busy(), 2)).isEqualTo(1);
    assertThat(room(busy(), 4)).isEqualTo(3);
  }

  @Test
  void aSmallTaskWaitsForTheRoomOfTasksAhead() {
    WorkerState worker = busy();
    worker.take(state("large", 3, 1));

    assertThat(room(worker, 1)).isEqualTo(2);
  }

  @Test
  void noTaskWaitsBehindALargeOneWithAnUnknownWait() {
    WorkerState worker = busy();
    worker.take(state("unknown", 1, 0));
    worker.take(state("large", 4, 1));

    assertThat(room(worker, 1)).isInfinite();
  }
}
