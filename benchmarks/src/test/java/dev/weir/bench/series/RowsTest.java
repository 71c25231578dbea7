package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowsTest {
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
  void aSingleRepetitionIsAsItWas() {
    Workflow one = one("f");
    assertThat(Rows.of(List.of(one), 3)).isSameAs(one);
    assertThat(Rows.number("make")).isEqualTo(1);
    assertThat(Rows.plain("make")).isEqualTo("make");
  }

  @Test
  void eachBeginsAPauseAfterTheOneBeforeItHasEnded() {
    Workflow row = Rows.of(List.of(one("f"), one("g"), one("h")), 3);
    WorkflowGraph graph = row.graph();
    assertThat(graph.parents("a@1")).isEmpty();
    assertThat(graph.parents("a@2")).extracting(Task::id).containsExactly("gate@1");
    assertThat(graph.parents("gate@1"))
        .as("what waits for running tasks alone has its inputs copied ahead")
        .extracting(Task::id)
        .containsExactly("rest@1");
    assertThat(graph.parents("rest@1"))
        .extracting(Task::id)
        .containsExactlyInAnyOrder("a@1", "b@1", "c@1");
    assertThat(graph.parents("c@3")).extracting(Task::id).containsExactly("b@3");
    assertThat(graph.task("rest@2").type()).as("counts for nothing").isEqualTo(Warming.TYPE);
    assertThat(graph.task("b@3").type()).isEqualTo("use@3");
    assertThat(Rows.number("use@3")).isEqualTo(3);
    assertThat(Rows.plain("use@3")).isEqualTo("use");
  }

  @Test
  void aRunHasASampleOfEach() {
    KeptRun run = Runs.inARow(new Turn("g", Setup.WEIR.label(), 2), List.of(1.0, 3.0));
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
    assertThat(Series.of(List.of(run), Set.of()).of(Setup.WEIR)).hasSize(2);
  }
}
