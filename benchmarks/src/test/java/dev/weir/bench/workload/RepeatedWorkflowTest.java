package dev.weir.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.report.Sample;
import dev.weir.bench.report.SeriesSamples;
import dev.weir.bench.series.PlannedRun;
import dev.weir.bench.series.RecordedRun;
import dev.weir.bench.series.SampleRuns;
import dev.weir.bench.series.Setup;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepeatedWorkflowTest {
  private static Workflow one(String file) {
    List<String> command = List.of("true");
    return new Workflow(
        "w",
        List.of(
            new Task("a", "make", command, List.of(), List.of(file), 1),
            new Task("b", "use", command, List.of(file), List.of(), 1),
            new Task("c", "end", command, List.of(), List.of(), List.of("b"), 1)),
        Map.of(file, new DataFile(file, 1)));
  }

  @Test
  void singleRepetitionIsUnchanged() {
    Workflow one = one("f");
    assertThat(RepeatedWorkflow.of(List.of(one), 3)).isSameAs(one);
    assertThat(RepeatedWorkflow.number("make")).isEqualTo(1);
    assertThat(RepeatedWorkflow.plain("make")).isEqualTo("make");
  }

  @Test
  void repetitionsAreSeparatedByAPause() {
    Workflow repeated = RepeatedWorkflow.of(List.of(one("f"), one("g"), one("h")), 3);
    WorkflowGraph graph = repeated.graph();
    assertThat(graph.parents("a@1")).isEmpty();
    assertThat(graph.parents("a@2")).extracting(Task::id).containsExactly("gate@1");
    assertThat(graph.parents("gate@1"))
        .as("not the pause, which would let Weir copy inputs ahead")
        .extracting(Task::id)
        .containsExactly("rest@1");
    assertThat(graph.parents("rest@1"))
        .extracting(Task::id)
        .containsExactlyInAnyOrder("a@1", "b@1", "c@1");
    assertThat(graph.parents("c@3")).extracting(Task::id).containsExactly("b@3");
    assertThat(graph.task("rest@2").type()).as("not counted").isEqualTo(WorkerWarmUp.TYPE);
    assertThat(graph.task("b@3").type()).isEqualTo("use@3");
    assertThat(RepeatedWorkflow.number("use@3")).isEqualTo(3);
    assertThat(RepeatedWorkflow.plain("use@3")).isEqualTo("use");
  }

  @Test
  void runHasASamplePerRepetition() {
    RecordedRun run =
        SampleRuns.inARow(new PlannedRun("g", Setup.WEIR.label(), 2), List.of(1.0, 3.0));
    List<Sample> samples = Sample.all(run, Set.of());
    assertThat(samples).extracting(Sample::repeat).containsExactly(3, 4);
    assertThat(samples).extracting(Sample::run).containsOnly(2);
    assertThat(samples).extracting(Sample::seconds).containsExactly(1.0, 3.0);
    assertThat(samples)
        .extracting(sample -> sample.stages().keySet().toString())
        .containsOnly("[work]");
    assertThat(samples)
        .extracting(sample -> sample.usage().networkBytes())
        .containsOnly(1_500_000L);
    assertThat(SeriesSamples.of(List.of(run), Set.of()).of(Setup.WEIR)).hasSize(2);
  }
}
