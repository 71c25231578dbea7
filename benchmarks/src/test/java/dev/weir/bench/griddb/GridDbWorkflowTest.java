package dev.weir.bench.griddb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.griddb.GridDbWorkflow.Shape;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import org.junit.jupiter.api.Test;

class GridDbWorkflowTest {

  @Test
  void anImageIsSplitAndItsPiecesAreSearched() {
    Workflow workflow = new GridDbWorkflow(Shape.PIECES, 256, 1).build();

    WorkflowGraph graph = workflow.graph();
    assertThat(workflow.tasks()).hasSize(256 * 17);
    assertThat(workflow.tasks())
        .filteredOn(task -> task.type().equals("split"))
        .hasSize(256)
        .allSatisfy(task -> assertThat(task.outputs()).hasSize(16));
    assertThat(workflow.tasks())
        .filteredOn(task -> task.type().equals("search"))
        .allSatisfy(
            task ->
                assertThat(graph.parents(task.id()))
                    .extracting(Task::type)
                    .containsExactly("split"));
  }

  @Test
  void decomposedTasksHaveThePublishedNumbersOfLinks() {
    Workflow workflow = new GridDbWorkflow(Shape.DECOMPOSED, 3, 1).build();

    assertThat(workflow.tasks()).hasSize(3 * 5);
    assertThat(workflow.tasks().subList(0, 5))
        .extracting(task -> task.inputs().size())
        .containsExactly(788, 810, 832, 854, 876);
    assertThat(workflow.graph().parents("step-5-2"))
        .extracting(Task::id)
        .contains("step-4-2")
        .allMatch(parent -> parent.endsWith("-2"));
  }

  @Test
  void bothShapesTakeTheSameTimePerImage() {
    double seconds = 1_940;

    for (Shape shape : Shape.values()) {
      double total =
          new GridDbWorkflow(shape, 100, 10)
              .build().tasks().stream().mapToDouble(Task::runtimeSeconds).sum();
      assertThat(total / 100 * 10).isCloseTo(seconds, within(seconds / 50));
    }
  }

  @Test
  void refusesWorkflowsWithoutImagesOrTime() {
    assertThatThrownBy(() -> new GridDbWorkflow(Shape.PIECES, 0, 1)).hasMessageContaining("0, 1.0");
    assertThatThrownBy(() -> new GridDbWorkflow(Shape.PIECES, 1, Double.NaN))
        .hasMessageContaining("--speed-up");
  }
}
