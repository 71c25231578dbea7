package dev.weir.workflow.estimate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskTimesTest {

  private static final Workflow WORKFLOW =
      new Workflow(
          "w",
          List.of(
              task("a1", "a", 2),
              task("a2", "a", 4),
              task("a3", "a", 8),
              task("b", "b", 0),
              task("c", "c", 0),
              task("d", "d", 5)),
          Map.of());

  private static Task task(String id, String type, double seconds) {
    return new Task(id, type, List.of(), List.of(), List.of(), seconds);
  }

  @Test
  void measuredTimesScaleDeclaredOnes() {
    TaskTimes times =
        TaskTimes.of(
            WORKFLOW,
            new TaskProfiles(
                Map.of(
                    "a", new TaskProfiles.Profile(3, 12, 20, 30, 0),
                    "b", new TaskProfiles.Profile(1, 7, 8, 9, 0))));
    assertThat(times.seconds("a1")).isEqualTo(6);
    assertThat(times.seconds("a2")).isEqualTo(12);
    assertThat(times.seconds("a3")).isEqualTo(24);
    assertThat(times.seconds("b")).as("only measured").isEqualTo(7);
    assertThat(times.seconds("c")).as("unknown").isEqualTo(1);
    assertThat(times.seconds("d")).as("only declared").isEqualTo(5);
    assertThat(times.unknown()).isEqualTo(1);
    assertThat(times.total()).isEqualTo(55);
  }
}
