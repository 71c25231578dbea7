package dev.weir.workflow.scheduler.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.dispatch.SpeculationPolicy.RunningTask;
import dev.weir.workflow.scheduler.state.RuntimeEstimates.Estimate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** When a running task is a straggler whose copy pays. */
class SpeculationPolicyTest {

  private static RunningTask running(double elapsed, double expected, double slow) {
    return running("t", elapsed, expected, slow);
  }

  private static RunningTask running(String id, double elapsed, double expected, double slow) {
    Task task = new Task(id, "type", List.of("true"), List.of(), List.of(), 1);
    return new RunningTask(
        Graphs.state(task, List.of(), List.of(), 1), elapsed, new Estimate(expected, slow));
  }

  @Test
  void anOrdinaryTaskIsNoStraggler() {
    assertThat(running(24, 20, 25).isStraggler(0)).isFalse();
  }

  @Test
  void aLateTaskIsCopiedWhenTheCopyWouldEndSooner() {
    assertThat(running(41, 20, 25).isStraggler(2)).as("21 s late").isFalse();
    assertThat(running(43, 20, 25).isStraggler(2)).as("23 s late").isTrue();
  }

  @Test
  void varyingTypesHaveNoStragglersAmongOrdinaryTasks() {
    assertThat(running(90, 20, 100).isStraggler(0)).isFalse();
  }

  @Test
  void shortTasksAreNotCopied() {
    assertThat(running(9.9, 0.1, 0.1).isStraggler(0)).isFalse();
    assertThat(running(10, 0.1, 0.1).isStraggler(0)).isTrue();
  }

  @Test
  void theLatestGoesFirst() {
    List<RunningTask> late =
        Stream.of(running("a", 100, 20, 25), running("b", 300, 20, 25), running("c", 290, 5, 9))
            .sorted(RunningTask.LONGEST_FIRST)
            .toList();

    assertThat(late).extracting(running -> running.task().id()).containsExactly("c", "b", "a");
  }

  @Test
  void atMostATenthOfTheWorkersRunCopies() {
    assertThat(SpeculationPolicy.cap(3)).isEqualTo(2);
    assertThat(SpeculationPolicy.cap(500)).isEqualTo(50);
  }
}
