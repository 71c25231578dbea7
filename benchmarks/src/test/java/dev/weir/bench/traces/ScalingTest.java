package dev.weir.bench.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalingTest {
  /** Two tasks in sequence; 10 s and 30 s. */
  static final Workflow CHAIN =
      new Workflow(
          "chain",
          List.of(
              new Task("one", "one", List.of(), List.of("in"), List.of("mid"), 10),
              new Task("two", "two", List.of(), List.of("mid", "in"), List.of("out"), 30)),
          Map.of(
              "in", new DataFile("in", 1_000),
              "mid", new DataFile("mid", 500),
              "out", new DataFile("out", 0)));

  @Test
  void scalesBytesAndSecondsSeparately() {
    Workflow scaled = new Scaling(0.1, 0.5).of(CHAIN);

    assertThat(scaled.graph().file("in").sizeBytes()).isEqualTo(100);
    assertThat(scaled.graph().file("mid").sizeBytes()).isEqualTo(50);
    assertThat(scaled.tasks()).extracting(Task::runtimeSeconds).containsExactly(5.0, 15.0);
    assertThat(scaled.tasks().get(1).inputs()).containsExactly("mid", "in");
  }

  @Test
  void onlyEmptyFilesScaleToZero() {
    Workflow scaled = new Scaling(1e-9, 1).of(CHAIN);

    assertThat(scaled.graph().file("in").sizeBytes()).isEqualTo(1);
    assertThat(scaled.graph().file("out").sizeBytes()).isZero();
  }

  @Test
  void scalesLongWorkflowsToTheWantedTime() {
    assertThat(Scaling.fitting(25, 2_040)).isEqualTo(new Scaling(0.012, 0.012));
    assertThat(Scaling.fitting(25, 10)).isEqualTo(new Scaling(1, 1));
  }

  @Test
  void refusesInvalidFactors() {
    assertThatThrownBy(() -> new Scaling(0, 1)).hasMessageContaining("Bytes times 0.0");
    assertThatThrownBy(() -> new Scaling(1, Double.NaN)).hasMessageContaining("NaN");
  }

  @Test
  void computesTheTotalWork() {
    WorkloadSize work = WorkloadSize.of(CHAIN);

    assertThat(work).isEqualTo(new WorkloadSize(2, 2_500, 500, 40, 40));
    // On one node 40 s, and 2,500 bytes read and twice 500 copied at 100 bytes per second.
    assertThat(work.stockSeconds(1, 100)).isCloseTo(75, within(1e-9));
    // Two nodes do not shorten a chain, but share the bytes.
    assertThat(work.stockSeconds(2, 100)).isCloseTo(57.5, within(1e-9));
  }
}
