package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.scheduler.Stragglers.RunningTask;
import java.util.List;
import org.junit.jupiter.api.Test;

class StragglersTest {

  private static RunningTask after(String task, double elapsed) {
    return new RunningTask(task, elapsed, 20, 25, 22);
  }

  @Test
  void anOrdinaryTaskIsNoStraggler() {
    assertThat(Stragglers.choose(List.of(after("a", 24)), 5)).isEmpty();
  }

  @Test
  void aLateTaskIsCopiedWhenTheCopyWouldEndSooner() {
    assertThat(Stragglers.choose(List.of(after("a", 41)), 5)).as("21 s late").isEmpty();
    assertThat(Stragglers.choose(List.of(after("a", 43)), 5)).as("23 s late").hasSize(1);
  }

  @Test
  void readingTimeOfACopyCounts() {
    RunningTask far = new RunningTask("a", 60, 20, 25, 20 + 100);

    assertThat(Stragglers.choose(List.of(far), 5)).isEmpty();
  }

  @Test
  void varyingTypesHaveNoStragglersAmongOrdinaryTasks() {
    assertThat(Stragglers.choose(List.of(new RunningTask("a", 90, 20, 100, 20)), 5)).isEmpty();
  }

  @Test
  void shortTasksAreNotCopied() {
    assertThat(Stragglers.choose(List.of(new RunningTask("a", 9.9, 0.1, 0.1, 0.1)), 5)).isEmpty();
    assertThat(Stragglers.choose(List.of(new RunningTask("a", 10, 0.1, 0.1, 0.1)), 5)).hasSize(1);
  }

  @Test
  void theLongestTimeToTheEndGoesFirstUpToTheLimit() {
    List<RunningTask> runningTasks = List.of(after("a", 100), after("b", 300), after("c", 200));

    assertThat(Stragglers.choose(runningTasks, 2))
        .extracting(RunningTask::task)
        .containsExactly("b", "c");
    assertThat(Stragglers.choose(runningTasks, 0)).isEmpty();
  }

  @Test
  void atMostATenthOfTheWorkersRunCopies() {
    assertThat(Stragglers.cap(3)).isEqualTo(2);
    assertThat(Stragglers.cap(500)).isEqualTo(50);
  }
}
