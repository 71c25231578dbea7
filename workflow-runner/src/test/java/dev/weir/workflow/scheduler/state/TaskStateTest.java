package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskStateTest {

  private static final long GIB = 1L << 30;

  @Test
  void severalContainersAreTwiceAsLargeAfterOneWasKilledForMemory() {
    Task task =
        new Task("t", "type", List.of("run"), List.of(), List.of(), 1)
            .withNeeds(new TaskNeeds(1, 0, 0).withContainers(2));
    TaskState state = Graphs.state(task, List.of(), List.of(), 1);
    ClusterResources cluster = new ClusterResources(64 * GIB, Map.of(), Map.of());

    state.raiseNeeds(new WorkerSize(8, 8 * GIB, 0, cluster));

    assertThat(state.needs().memoryBytes()).as("they were as large as workers").isEqualTo(16 * GIB);
    assertThat(state.needs().members()).isEqualTo(1);
  }
}
