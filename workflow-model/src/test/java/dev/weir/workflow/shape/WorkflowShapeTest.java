package dev.weir.workflow.shape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkflowShapeTest {

  private static Workflow workflow(double seconds) {
    return new Workflow(
        "w",
        List.of(
            new Task("a", "cut", List.of(), List.of("in"), List.of("x", "y"), seconds),
            new Task("b", "count", List.of(), List.of("x"), List.of("p"), 5 * seconds),
            new Task("c", "count", List.of(), List.of("y"), List.of("q"), 2 * seconds),
            new Task("d", "sort", List.of(), List.of("q"), List.of("r"), 2 * seconds),
            new Task("e", "join", List.of(), List.of("p", "r"), List.of("out"), seconds)),
        Map.of(
            "in", new DataFile("in", 100),
            "x", new DataFile("x", 1),
            "y", new DataFile("y", 2),
            "p", new DataFile("p", 3),
            "q", new DataFile("q", 4),
            "r", new DataFile("r", 5),
            "out", new DataFile("out", 7)));
  }

  @Test
  void countsTasksAndFiles() {
    WorkflowShape shape = WorkflowShape.of(workflow(1));
    assertThat(shape.types())
        .containsExactly(
            new WorkflowShape.TypeShape("cut", 1, 1),
            new WorkflowShape.TypeShape("count", 2, 7),
            new WorkflowShape.TypeShape("sort", 1, 2),
            new WorkflowShape.TypeShape("join", 1, 1));
    assertThat(shape.widths()).containsExactly(1, 2, 1, 1);
    assertThat(shape.totalSeconds()).isEqualTo(11);
    assertThat(shape.inputs()).isEqualTo(new WorkflowShape.Files(1, 100));
    assertThat(shape.intermediates()).isEqualTo(new WorkflowShape.Files(5, 15));
    assertThat(shape.outputs()).isEqualTo(new WorkflowShape.Files(1, 7));
  }

  @Test
  void findsTheCriticalPath() {
    WorkflowShape timed = WorkflowShape.of(workflow(1));
    assertThat(timed.criticalPath()).containsExactly("a", "b", "e");
    assertThat(timed.criticalSeconds()).isEqualTo(7);
    WorkflowShape untimed = WorkflowShape.of(workflow(0));
    assertThat(untimed.criticalPath()).containsExactly("a", "c", "d", "e");
    assertThat(untimed.criticalSeconds()).isZero();
  }
}
