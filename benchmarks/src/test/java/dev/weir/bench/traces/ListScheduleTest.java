package dev.weir.bench.traces;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListScheduleTest {

  @Test
  void independentTasksRunInRounds() {
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      tasks.add(task("t" + i, 10));
    }

    assertThat(seconds(7, tasks)).isEqualTo(20);
    assertThat(seconds(9, tasks)).isEqualTo(10);
    assertThat(seconds(1, tasks)).isEqualTo(90);
  }

  @Test
  void tasksOnTheLongestPathRunFirst() {
    List<Task> tasks =
        List.of(
            task("a", 4), task("b", 4), task("long", 1), task("after", 6, "long"), task("c", 1));

    // One worker runs the path of seven, then c; the other runs a and b.
    assertThat(seconds(2, tasks)).isEqualTo(8);
  }

  @Test
  void taskWaitsForAllPredecessors() {
    List<Task> tasks = List.of(task("a", 2), task("b", 5), task("both", 1, "a", "b"));

    assertThat(seconds(2, tasks)).isEqualTo(6);
  }

  private static double seconds(int workers, List<Task> tasks) {
    return ListSchedule.seconds(new Workflow("test", tasks, Map.of()), workers);
  }

  private static Task task(String id, double seconds, String... after) {
    return new Task(id, "type", List.of("true"), List.of(), List.of(), List.of(after), seconds);
  }
}
