package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.WaitingRun.LARGE;
import static dev.weir.workflow.scheduler.WaitingRun.NOW;
import static dev.weir.workflow.scheduler.WaitingRun.SMALL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * In a graph that grows, no task waits for a busy worker, and tasks with reservations keep them.
 */
class GrowingWaitTest {

  private static Dispatcher begun(int cores) {
    Dispatcher growing =
        Dispatchers.of(
            AssignmentPolicy.DATA_AWARE, new Limits(3, 4), new WorkerSize(cores, 1L << 30, 1));
    growing.start(NOW);
    growing.workerJoined(new WorkerInfo("w1", "n1", "/r"), NOW);
    growing.workerJoined(new WorkerInfo("w2", "n2", "/r"), NOW);
    return growing;
  }

  /** A job of a second that reads a file of its own. */
  private static JobAddition job(String id, int cores, long bytes, String node) {
    String file = "in-" + id;
    Task task =
        new Task(
            id,
            "type",
            List.of("true"),
            List.of(file),
            List.of(),
            List.of(),
            1,
            new TaskNeeds(cores, 0, 0));
    return new JobAddition(
        task,
        List.of(new DataFile(file, bytes)),
        Map.of(file, Map.of(node, bytes)),
        3,
        0,
        "{}",
        Set.of());
  }

  @Test
  void aJobGoesToAnIdleWorker() {
    Dispatcher growing = begun(1);
    assertThat(growing.add(job("run", 1, SMALL, "n1"), NOW).effects())
        .containsExactly(start("w1", "run", 1));

    assertThat(growing.add(job("next", 1, LARGE, "n1"), NOW).effects())
        .as("though n1 is to have room in a second")
        .containsExactly(start("w2", "next", 1));
  }

  private static Effect.Start start(String worker, String task, int attempt) {
    return Starts.of(worker, task, attempt, List.of());
  }

  @Test
  void nothingIsTakenBackWhileAReadyJobHasNoRoom() {
    Dispatcher growing = begun(2);
    Dispatcher dispatcher = growing;
    growing.add(job("whole", 2, SMALL, "n1"), NOW);
    growing.add(job("half", 1, SMALL, "n2"), NOW);
    growing.add(job("other", 1, SMALL, "n2"), NOW);
    assertThat(growing.add(job("ahead", 1, SMALL, "n1"), NOW).effects())
        .containsExactly(start("w1", "ahead", 1));
    assertThat(growing.add(job("large", 2, LARGE, "n1"), NOW).effects()).isEmpty();
    Effect.Start half = start("w2", "half", 1);
    assertThat(dispatcher.reported("w2", Reports.succeeded(half, "n2", 0), NOW).effects())
        .isEmpty();

    assertThat(dispatcher.tick(NOW + 1_000).effects()).isEmpty();
    assertThat(growing.cancel("large", NOW + 1_000).effects())
        .contains(new Effect.Recall("w1", "ahead", 1));
  }
}
