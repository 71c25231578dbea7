package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UsefulWorkersTest {

  private static int of(int workers, int tasks, int nodes) {
    List<Task> all =
        IntStream.range(0, tasks)
            .mapToObj(i -> new Task("t" + i, "t", List.of("true"), List.of(), List.of(), 1))
            .toList();
    return WorkerPlan.DEFAULT
        .withCount(workers)
        .usefulFor(new Workflow("w", all, Map.of()), nodes)
        .count();
  }

  @Test
  void workersAreLimitedByTasksAndNodes() {
    assertThat(of(Integer.MAX_VALUE, 7, 3)).isEqualTo(7);
    assertThat(of(Integer.MAX_VALUE, 1, 3)).isEqualTo(3);
    assertThat(of(5, 7, 3)).isEqualTo(5);
    assertThat(of(3, 1, 3)).isEqualTo(3);
  }
}
