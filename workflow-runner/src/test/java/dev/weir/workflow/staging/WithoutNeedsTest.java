package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.ResourceNeeds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WithoutNeedsTest {

  @Test
  void tasksWithoutNeedsFitAndAreOtherwiseUnchanged() {
    Task large =
        new Task(
            "t",
            "blastall",
            List.of("blastall", "-d", "nt"),
            List.of("nt"),
            List.of("hits"),
            List.of(),
            2.5,
            new TaskNeeds(16, 946_000_000, 0, 60, true));
    Workflow workflow =
        new Workflow(
            "w",
            List.of(large),
            Map.of("nt", new DataFile("nt", 7), "hits", new DataFile("hits", 1)));
    assertThat(WorkerPlan.DEFAULT.size().fits(ResourceNeeds.of(large.needs()))).isFalse();

    Workflow without = WorkflowRunner.withoutNeeds(workflow);

    Task task = without.tasks().get(0);
    assertThat(WorkerPlan.DEFAULT.size().fits(ResourceNeeds.of(task.needs()))).isTrue();
    assertThat(task.needs()).as("limits stay").isEqualTo(new TaskNeeds(0, 0, 0, 60, true));
    assertThat(task.command()).isEqualTo(large.command());
    assertThat(task.inputs()).isEqualTo(large.inputs());
    assertThat(task.outputs()).isEqualTo(large.outputs());
    assertThat(task.runtimeSeconds()).isEqualTo(2.5);
    assertThat(without.files()).isEqualTo(workflow.files());
  }

  @Test
  void timeLimitIsThatOfTasksThatDeclareNone() {
    Task own = task("own", new TaskNeeds(0, 0, 0, 60, false));
    Task none = task("none", new TaskNeeds(2, 0, 0, 0, true));

    Workflow limited =
        WorkflowRunner.withTimeLimit(new Workflow("w", List.of(own, none), Map.of()), 5);

    assertThat(limited.tasks())
        .extracting(Task::needs)
        .containsExactly(own.needs(), new TaskNeeds(2, 0, 0, 5, true));
  }

  private static Task task(String id, TaskNeeds needs) {
    return new Task(id, "t", List.of("true"), List.of(), List.of(), List.of(), 0, needs);
  }
}
