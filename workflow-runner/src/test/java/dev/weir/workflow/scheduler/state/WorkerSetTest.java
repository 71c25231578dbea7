package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.scheduler.DispatcherFixture;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.WorkerSize;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that tasks avoid. */
class WorkerSetTest {

  private static final long NOW = 1_000;

  private final WorkerSet workers = new WorkerSet(WorkerSize.ONE_TASK);
  private final TaskState task =
      Graphs.state(
          new Task("t", "type", List.of("run"), List.of(), List.of(), 1), List.of(), List.of(), 1);

  @BeforeEach
  void join() {
    workers.join(DispatcherFixture.ON_N1, null, NOW);
    workers.join(DispatcherFixture.ON_N2, null, NOW);
    workers.takeChanged();
  }

  @Test
  void nodeThatLeavesIsAvoidedUntilItStays() {
    workers.markLeaving("n1", Long.MAX_VALUE);
    workers.expireAvoided(NOW + 1_000_000);
    assertThat(workers.allows(task, "n1")).isFalse();
    assertThat(workers.allows(task, "n2")).isTrue();

    workers.markLeaving("n1", 0);
    workers.expireAvoided(NOW + 1_000_000);
    assertThat(workers.allows(task, "n1")).isTrue();
    assertThat(workers.takeChanged()).as("they may start tasks again").hasSize(2);
  }

  @Test
  void nodeWhoseContainersYarnDidNotTakeIsUsedAgain() {
    workers.markLeaving("n1", NOW + 10);
    workers.expireAvoided(NOW + 9);
    assertThat(workers.allows(task, "n1")).isFalse();

    workers.expireAvoided(NOW + 10);
    assertThat(workers.allows(task, "n1")).isTrue();
  }

  @Test
  void tasksRunOnNodesThatLeaveIfThereAreNoOthers() {
    workers.markLeaving("n1", Long.MAX_VALUE);
    workers.blacklist("n2", NOW);

    assertThat(workers.allows(task, "n1")).isTrue();
  }

  @Test
  void nodesWithoutWorkersDoNotCount() {
    workers.markLeaving("n3", Long.MAX_VALUE);
    workers.markLeaving("n4", Long.MAX_VALUE);
    workers.blacklist("n1", NOW);

    assertThat(workers.allows(task, "n1")).as("n2 may run it").isFalse();
  }
}
