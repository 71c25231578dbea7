package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WithContainerTest {

  private static Task task(String id, String image) {
    return new Task(id, "t", List.of("x"), List.of(), List.of(id + ".out"), 1)
        .withNeeds(TaskNeeds.UNKNOWN.withContainer(image));
  }

  private static Workflow workflow() {
    return new Workflow(
        "w",
        List.of(task("own", "debian:12"), task("none", "")),
        Map.of("own.out", new DataFile("own.out", 1), "none.out", new DataFile("none.out", 1)));
  }

  @Test
  void tasksKeepTheirOwnImage() {
    Workflow changed = WorkflowRunner.withContainer(workflow(), "alpine");

    assertThat(changed.tasks())
        .extracting(task -> task.needs().container())
        .containsExactly("debian:12", "alpine");
    assertThat(changed.files()).isEqualTo(workflow().files());
  }

  @Test
  void fetchesRunInNoContainer() {
    List<String> command = List.of("weir:fetch", "http://h/a");
    Task fetch = new Task("f", "fetch", command, List.of(), List.of("a"), 0);
    Workflow fetching = new Workflow("w", List.of(fetch), Map.of("a", new DataFile("a", 1)));

    Workflow changed = WorkflowRunner.withContainer(fetching, "tools.tar");

    assertThat(changed.tasks()).containsExactly(fetch);
  }

  @Test
  void tasksInSeveralContainersRunInNoImage() {
    Task mpi = task("mpi", "").withNeeds(TaskNeeds.UNKNOWN.withContainers(2));
    Workflow gang = new Workflow("w", List.of(mpi), Map.of("mpi.out", new DataFile("mpi.out", 1)));

    assertThat(WorkflowRunner.withContainer(gang, "alpine").tasks()).containsExactly(mpi);
  }

  @Test
  void aFileIsAnInputOfTheTasksThatGetIt() {
    Workflow changed = WorkflowRunner.withContainer(workflow(), "/img/tools.tar");

    assertThat(changed.tasks())
        .extracting(Task::inputs)
        .containsExactly(List.of(), List.of("img/tools.tar"));
    assertThat(changed.graph().workflowInputs())
        .extracting(DataFile::id)
        .containsExactly("img/tools.tar");
  }
}
