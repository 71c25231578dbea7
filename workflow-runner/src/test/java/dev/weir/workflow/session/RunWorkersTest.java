package dev.weir.workflow.session;

import static dev.weir.workflow.controller.TestRun.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.controller.WorkerStaffing;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.protocol.ClusterResources;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.Starts;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.WorkerPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Workers join and leave a run. */
class RunWorkersTest extends RunTestBase {

  /** Records what is asked of it. */
  private static final class Staff implements WorkerStaffing {
    final List<String> letGo = new CopyOnWriteArrayList<>();
    final List<Integer> wanted = new CopyOnWriteArrayList<>();
    final List<Map<ResourceNeeds, Integer>> dedicated = new CopyOnWriteArrayList<>();

    @Override
    public void requestDedicated(Map<ResourceNeeds, Integer> workers) {
      dedicated.add(workers);
    }

    @Override
    public void request(int workers, List<List<String>> inputs) {
      wanted.add(workers);
    }

    @Override
    public void release(String worker) {
      letGo.add(worker);
    }
  }

  @Test
  void idleWorkersBeyondTheRemainingTasksAreDismissed() throws Exception {
    TestRun.Worker one = run.join("w1", "n1");
    one.nextOrder();
    TestRun.Worker two = run.join("w2", "n2");
    Staff staff = new Staff();

    run.controller.adjustWorkerCount(WorkerPlan.DEFAULT.withCount(2), staff, List::of);
    assertThat(run.controller.progress().workers()).as("two tasks remain").isEqualTo(2);
    run.controller.reported("w1", report(orderOf("a"), Result.SUCCEEDED, 0));
    await().until(() -> run.controller.progress().done() == 1);
    // The clock stands still, so no worker has been idle for any time.
    run.controller.adjustWorkerCount(WorkerPlan.DEFAULT.withCount(2), staff, List::of);
    assertThat(run.controller.progress().workers()).isEqualTo(2);
    run.controller.adjustWorkerCount(new WorkerPlan(2, 1, 1024, 2).elastic(2, 1), staff, List::of);
    assertThat(run.controller.progress().workers()).as("two workers remain").isEqualTo(2);
    run.clock.advance(Duration.ofSeconds(61));
    run.controller.adjustWorkerCount(WorkerPlan.DEFAULT.withCount(2), staff, List::of);

    await().until(() -> run.controller.progress().workers() == 1);
    assertThat(staff.letGo).hasSize(1);
    assertThat(staff.wanted).containsExactly(2, 1, 2, 1);
    assertThat(staff.dedicated).containsOnly(Map.of());
    TestRun.Worker gone = staff.letGo.get(0).equals("w1") ? one : two;
    await().until(() -> gone.received.contains(new Message.Shutdown()));
    assertThat(run.controller.outcome()).isNotDone();
  }

  @Test
  void idleWorkersLeaveTheirRoomToADedicatedOne() throws Exception {
    RunPlan plan =
        Plans.of(
            1,
            Plans.task("a", List.of(), List.of("fa"))
                .withNeeds(TaskNeeds.UNKNOWN.withResources(Map.of("fpga", 1L))),
            Plans.task("b", List.of("fa"), List.of()));
    WorkerPlan workers =
        plan.workers().with(new ClusterResources(0, Map.of("fpga", Map.of("n1", 1L)), Map.of()));
    dispatch(plan, workers);
    run.join("w1", "n1");
    Staff staff = new Staff();

    run.controller.adjustWorkerCount(workers, staff, List::of);
    assertThat(run.controller.progress().workers()).as("it may have to run b soon").isEqualTo(1);
    run.clock.advance(Duration.ofSeconds(61));
    run.controller.adjustWorkerCount(workers, staff, List::of);

    await().until(() -> run.controller.progress().workers() == 0);
    assertThat(staff.letGo).containsExactly("w1");
    assertThat(staff.wanted).containsExactly(0, 0);
    ResourceNeeds device = new ResourceNeeds(1, 0, Map.of("fpga", 1L));
    assertThat(staff.dedicated).containsOnly(Map.of(device, 1));
  }

  private void dispatch(RunPlan plan, WorkerPlan workers) {
    run.controller =
        new SessionController(
            Dispatchers.of(
                plan.workflow(), AssignmentPolicy.FIFO, new Limits(1, 10), workers.size()),
            new SessionController.Collaborators(
                Plans.orders(plan, "run-1"), run.journal, run.recorder, run.events),
            run.clock,
            new SessionController.Threads(run.loop, Runnable::run));
    run.controller.start();
  }

  @Test
  void outputsOfALostWorkerAreRemovedDuringTheRun() throws Exception {
    run.join("w1", "n1").nextOrder();

    run.controller.lost("w1", "killed");

    await()
        .untilAsserted(
            () -> assertThat(run.files.removed).containsExactly("/data/fa.weir-run-1-1"));
    assertThat(run.controller.outcome()).isNotDone();
  }

  @Test
  void taskAheadIsRecalledForAnIdleWorker() throws Exception {
    RunPlan plan =
        Plans.of(2, Plans.task("a", List.of(), List.of()), Plans.task("b", List.of(), List.of()));
    dispatch(plan, plan.workers());
    TestRun.Worker first = run.join("w1", "n1");
    first.nextOrder();
    TaskOrder second = first.nextOrder();

    TestRun.Worker idle = run.join("w2", "n2");

    assertThat(first.received.take()).isEqualTo(new Message.Recall("b", 1));
    run.controller.reported("w1", TaskReport.recalled(second.task(), second.attempt()));
    assertThat(idle.nextOrder().attempt()).isEqualTo(2);
  }

  @Test
  void anotherWorkerRunsTheTaskOfALostOne() throws Exception {
    TestRun.Worker first = run.join("w1", "n1");
    TaskOrder attempt = first.nextOrder();
    TestRun.Worker second = run.join("w2", "n2");

    run.controller.lost("w1", "its container ended");

    TaskOrder again = second.nextOrder();
    assertThat(again.task()).isEqualTo("a");
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.label()).isNotEqualTo(attempt.label());
    await().untilAsserted(() -> assertThat(first.ends).hasSize(1));
    run.controller.reported("w1", report(attempt, Result.SUCCEEDED, 0));
    run.controller.reported("w2", report(again, Result.SUCCEEDED, 0));
    run.controller.reported("w2", report(second.nextOrder(), Result.SUCCEEDED, 0));
    assertThat(run.controller.outcome().get()).isEmpty();
    assertThat(run.journalled()).as("the late report is ignored").hasSize(3);
  }

  @Test
  void endedConnectionMeansALostWorker() throws Exception {
    TestRun.Worker first = run.join("w1", "n1");
    first.nextOrder();
    TestRun.Worker second = run.join("w2", "n2");

    run.open.get(0).close();

    assertThat(second.nextOrder().task()).isEqualTo("a");
  }

  @Test
  void workerThatConnectsAfterItWasGivenUpIsDismissed() throws Exception {
    run.controller.lost("w1", "its container ended");

    TestRun.Worker late = run.join("w1", "n1");

    await().untilAsserted(() -> assertThat(late.ends).hasSize(1));
    assertThat(late.received)
        .as("the worker must not search for another ApplicationMaster")
        .containsExactly(new Message.Shutdown());
    assertThat(run.controller.progress().workers()).isZero();
    assertThat(run.record(true).workers()).isEmpty();
    assertThat(run.join("w2", "n1").nextOrder().task()).isEqualTo("a");
  }

  @Test
  void attemptsOfAReturningWorkerContinue() throws Exception {
    run.restart();
    TestRun.Worker back = run.join("w1", "n1");
    TestRun.Worker other = run.join("w2", "n2");
    run.controller.returned("w1", List.of(new HeldAttempt("a", 3, 2_000, false, false)));
    run.controller.mayCommit("w1", "a", 3);
    run.controller.start();

    assertThat(back.received.take()).isEqualTo(new Message.Permit("a", 3, true));
    run.controller.reported("w1", report(run.order("a", 3), Result.SUCCEEDED, 0));

    assertThat(other.nextOrder().task()).isEqualTo("b");
    assertThat(run.record(true).tasks())
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.attempt()).isEqualTo(3);
              assertThat(task.ready()).isEqualTo(run.clock.instant().minusSeconds(2));
            });
  }

  @Test
  void reportsAreAcknowledgedWhenJournalled() throws Exception {
    TestRun.Worker worker = run.join("w1", "n1");
    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));
    run.controller.reported("w1", report(orderOf("a"), Result.SUCCEEDED, 0));
    assertThat(worker.nextOrder().task()).isEqualTo("b");

    run.controller.tick();

    assertThat(worker.received.take()).isEqualTo(new Message.Noted(2));
    assertThat(run.journalled()).hasSize(1);
  }

  @Test
  void workersAreShutDownAtTheEnd() throws Exception {
    TestRun.Worker first = run.join("w1", "n1");
    first.nextOrder();
    TestRun.Worker second = run.join("w2", "n1");

    run.controller.shutDownWorkers();

    assertThat(first.received.take()).isEqualTo(new Message.Shutdown());
    assertThat(second.received.take()).isEqualTo(new Message.Shutdown());
  }

  private TaskOrder orderOf(String task) {
    return run.orders.order(
        Starts.of("w1", task, 1, TestRun.PLAN.workflow().tasks().get(0).outputs()));
  }
}
