package dev.weir.workflow.scheduler.dispatch;

import static dev.weir.workflow.scheduler.WaitingRun.LARGE;
import static dev.weir.workflow.scheduler.WaitingRun.NOW;
import static dev.weir.workflow.scheduler.WaitingRun.SMALL;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.Graphs;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.state.TaskState;
import dev.weir.workflow.scheduler.state.WorkerSet;
import dev.weir.workflow.scheduler.state.WorkerState;
import dev.weir.workflow.scheduler.state.WorkflowState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the wait for a busy worker is estimated; waiting saves ten seconds over a link. */
class WaitEstimatesTest {

  /**
   * n1 runs a task and has the input of the next one; n2 is idle.
   *
   * @param runSeconds declared run time of the task on n1
   * @param aheadSeconds declared run time of a task ahead on n1; 0 for none
   * @param profiles profiles of earlier runs
   */
  private record Case(double runSeconds, double aheadSeconds, TaskProfiles profiles) {

    private static final WorkerSize SIZE = new WorkerSize(1, 1L << 30, 2);

    Case(double runSeconds) {
      this(runSeconds, 0, TaskProfiles.NONE);
    }

    WorkflowState graph() {
      Workflow workflow =
          new Workflow(
              "test",
              List.of(
                  task("run", "one", runSeconds),
                  task("ahead", "small", aheadSeconds),
                  task("next", "two", 1)),
              Map.of(
                  "one", new DataFile("one", 2 * LARGE),
                  "small", new DataFile("small", SMALL),
                  "two", new DataFile("two", LARGE)));
      WorkflowState graph = Graphs.state(workflow, SIZE, profiles);
      graph.locate(new StoredFile("one", 2 * LARGE, Map.of("n1", 2 * LARGE)));
      graph.locate(new StoredFile("small", SMALL, Map.of("n1", SMALL)));
      graph.locate(new StoredFile("two", LARGE, Map.of("n1", LARGE)));
      graph.start(NOW);
      graph.session().stepBuilder().begin(NOW);
      WorkerSet workers = graph.session().workers();
      List.of("n1", "n2").forEach(n -> workers.join(new WorkerInfo(n, n, "/r"), null, NOW));
      graph.session().assignments().assign(graph.task("run"), worker(graph, "n1"));
      if (aheadSeconds > 0) {
        graph.session().assignments().assign(graph.task("ahead"), worker(graph, "n1"));
      }
      return graph;
    }

    String placed() {
      return placed(graph());
    }

    String placed(WorkflowState graph) {
      return new PricedWait(graph, new StartTimes(graph))
          .place(graph.task("next"), worker(graph, "n2"))
          .info()
          .node();
    }
  }

  private static Task task(String id, String input, double seconds) {
    return new Task(id, id, List.of("true"), List.of(input), List.of(), seconds);
  }

  private static WorkerState worker(WorkflowState graph, String id) {
    return requireNonNull(graph.session().workers().get(id));
  }

  @Test
  void runningTasksCountAsDeclared() {
    assertThat(new Case(9).placed()).isEqualTo("n1");
    assertThat(new Case(11).placed()).isEqualTo("n2");
  }

  private static TaskProfiles takes(double seconds) {
    return new TaskProfiles(Map.of("run", new TaskProfiles.Profile(4, 2, seconds, seconds, 0)));
  }

  @Test
  void profilesCount() {
    assertThat(new Case(0, 0, takes(9)).placed()).isEqualTo("n1");
    assertThat(new Case(0, 0, takes(11)).placed()).isEqualTo("n2");
  }

  @Test
  void tasksAheadCount() {
    assertThat(new Case(3, 6, TaskProfiles.NONE).placed()).isEqualTo("n1");
    assertThat(new Case(3, 8, TaskProfiles.NONE).placed()).isEqualTo("n2");
  }

  @Test
  void noTaskWaitsForABlacklistedNodeOrOneWhereItFailed() {
    Case some = new Case(3);
    WorkflowState resting = some.graph();
    resting.session().workers().blacklist("n1", NOW);
    assertThat(some.placed(resting)).isEqualTo("n2");

    WorkflowState failed = some.graph();
    failed.task("next").excludeNode("n1");
    assertThat(some.placed(failed)).isEqualTo("n2");
  }

  @Test
  void aTaskWaitsOnlyOnce() {
    Case some = new Case(3);
    WorkflowState graph = some.graph();

    assertThat(some.placed(graph)).isEqualTo("n1");
    assertThat(graph.task("next").waitingSince()).isEqualTo(NOW);
    assertThat(some.placed(graph)).isEqualTo("n2");
  }

  @Test
  void aStartedTaskMayWaitAgainAfterAFailure() {
    Case some = new Case(3);
    WorkflowState graph = some.graph();
    TaskState next = graph.task("next");
    assertThat(some.placed(graph)).isEqualTo("n1");

    graph.session().assignments().assign(next, worker(graph, "n1"));
    assertThat(next.hasWaitedForWorker()).isTrue();
    graph.session().assignments().unassign(worker(graph, "n1"), graph.task("run"));

    assertThat(next.isAhead()).isFalse();
    assertThat(next.hasWaitedForWorker()).isFalse();
  }
}
