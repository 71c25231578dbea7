package dev.weir.workflow.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.run.Plans;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunOutlineTest {

  /** Otherwise a file would have two producers when the tasks of the sub-workflow are reported. */
  @Test
  void taskThatStandsForASubWorkflowMakesNoFiles() {
    List<String> command = new SubWorkflow("w.jx", Map.of()).words();
    Task sub = new Task("sub", SubWorkflow.TYPE, command, List.of("w.jx"), List.of("x"), 0);
    Task reader = Plans.task("reader", List.of("x"), List.of("y"));

    assertThat(RunOutline.of(Plans.of(1, sub, reader)).tasks())
        .extracting(Task::outputs)
        .containsExactly(List.of(), List.of("y"));
  }
}
