package dev.weir.workflow.session;

import static dev.weir.workflow.controller.TestRun.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.controller.GraphEvents;
import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.run.RunOrders;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.ContainerPool;
import dev.weir.workflow.yarn.MasterMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a run ends. */
class SessionControllerTest extends RunTestBase {

  @Test
  void runSucceedsWithItsLastTask() throws Exception {
    TestRun.Worker worker = run.join("w1", "n1");

    TaskOrder a = worker.nextOrder();
    assertThat(a.task()).isEqualTo("a");
    run.controller.reported("w1", report(a, Result.SUCCEEDED, 0));
    TaskOrder b = worker.nextOrder();
    run.controller.reported("w1", report(b, Result.SUCCEEDED, 0));

    assertThat(run.controller.outcome().get()).isEmpty();
    assertThat(run.journalled()).hasSize(2);
    assertThat(run.record(true).tasks()).hasSize(2);
    assertThat(run.record(true).workers()).hasSize(1);
  }

  @Test
  void lostResultIsMadeAgainBeforeTheEnd() throws Exception {
    run.files.lost.add("fb");
    TestRun.Worker worker = run.join("w1", "n1");
    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));
    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));

    TaskOrder again = worker.nextOrder();

    assertThat(again.task()).isEqualTo("b");
    assertThat(run.controller.outcome()).isNotDone();
    run.controller.reported("w1", report(again, Result.SUCCEEDED, 0));
    assertThat(run.controller.outcome().get()).isEmpty();
  }

  @Test
  void steeringRequestsAreAppliedJournalledAndAnswered() throws Exception {
    TestRun.Worker worker = run.join("w1", "n1");
    TaskOrder a = worker.nextOrder();

    run.controller.steer("", "one", Steering.of(Steering.Action.PAUSE, ""));
    run.controller.reported("w1", report(a, Result.SUCCEEDED, 0));
    run.controller.steer("", "two", Steering.of(Steering.Action.SHOW_LOG, "a"));
    assertThat(worker.received.take()).isEqualTo(new Message.ShowLog("a"));
    run.controller.steer("", "three", Steering.of(Steering.Action.RESUME, ""));
    TaskOrder b = worker.nextOrder();
    run.controller.steer("", "four", Steering.of(Steering.Action.CANCEL, "b"));
    assertThat(worker.received.take()).isEqualTo(new Message.Stop("b", b.attempt()));

    await().untilAsserted(() -> assertThat(run.answers).hasSize(4));
    assertThat(run.answers)
        .allMatch(answer -> answer.answer().tasks() == 1 || answer.request().equals("one"));
    assertThat(run.controller.outcome().get())
        .hasValueSatisfying(why -> assertThat(why.message()).contains("b"));
    assertThat(run.journalled().stream().filter(DispatchRecord.Steered.class::isInstance))
        .hasSize(3);
  }

  @Test
  void failedRunEndsWithTheReason() throws Exception {
    RunFailure failure = RunFailure.ofRun("no workers to be had", "details");

    run.controller.fail(failure);

    assertThat(run.controller.outcome().get()).contains(failure);
  }

  @Test
  void permanentFailureOfATaskFailsTheRun() throws Exception {
    TestRun.Worker worker = run.join("w1", "n1");

    run.controller.reported("w1", report(worker.nextOrder(), Result.FAILED, 7));

    Optional<RunFailure> failure = run.controller.outcome().get();
    assertThat(failure)
        .contains(new RunFailure("a", 1, List.of("run", "a"), 7, "n1", "FAILED", "its last words"));
    assertThat(run.record(false).tasks()).hasSize(1);
  }

  @Test
  void abortedRunReportsTheReason() {
    run.controller.abort("no workers to be had");

    assertThatThrownBy(() -> run.controller.outcome().get())
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("no workers to be had");
  }

  @Test
  void outOfMemoryInTheYarnClientIsReported() {
    ContainerEvents events =
        new ContainerEvents(run.controller, new AwaitedWorkers(), () -> true, note -> {});
    ContainerPool pool =
        new ContainerPool(
            new ContainerPool.Spec(1, 1, Resource.newInstance(1, 1), List.of(), List::of),
            events,
            Runnable::run,
            Runnable::run,
            run.clock);

    pool.onError(new OutOfMemoryError("on purpose"));

    assertThatThrownBy(() -> run.controller.outcome().get())
        .hasMessageContaining("lost the ResourceManager")
        .satisfies(end -> assertThat(MasterMemory.exitCode(end)).isEqualTo(3));
  }

  @Test
  void exceptionOfTheDispatcherEndsTheRun() throws Exception {
    TestRun.Worker worker = run.join("w1", "n1");
    TaskOrder order = worker.nextOrder();
    TaskReport odd =
        new TaskReport(
            order.task(),
            order.attempt(),
            Result.SUCCEEDED,
            0,
            "",
            "",
            List.of(),
            List.of(new StoredFile("no such file", 1, Map.of())),
            Usage.NONE);

    run.controller.reported("w1", odd);

    assertThatThrownBy(() -> run.controller.outcome().get())
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("no such file");
  }

  @Test
  void taskWithoutOrderFailsInASharedSession() throws Exception {
    run.withoutOrder.add("b");
    run.controller.containFailures();
    TestRun.Worker worker = run.join("w1", "n1");

    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));

    assertThat(run.controller.outcome().get())
        .hasValueSatisfying(
            why -> {
              assertThat(why.task()).isEqualTo("b");
              assertThat(why.message()).contains("on purpose");
            });
  }

  @Test
  void taskWithoutOrderIsLeftToTheNextMasterInASessionOfOneRun() throws Exception {
    run.withoutOrder.add("b");
    TestRun.Worker worker = run.join("w1", "n1");

    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));

    assertThatThrownBy(() -> run.controller.outcome().get())
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("on purpose");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failureOfRunFilesEndsOnlyThatRun(boolean inBackground) throws Exception {
    ThrowingFiles runs = new ThrowingFiles(inBackground);
    Dispatcher dispatcher =
        Dispatchers.of(AssignmentPolicy.FIFO, Limits.DEFAULT, WorkerSize.ONE_TASK);
    RunOrders orders = new RunOrders("r1", TestRun.PLAN, "run-1", path -> "");
    SessionController session =
        new SessionController(
            dispatcher,
            new SessionController.Collaborators(orders, run.journal, runs, runs),
            run.clock,
            new SessionController.Threads(run.loop, Runnable::run));
    session.containFailures();
    session.start();
    Graph graph = Graph.of("r1", TestRun.PLAN.workflow(), Limits.DEFAULT);
    session.submit(() -> dispatcher.addGraph(graph, List.of(), 1)).join();
    TestRun.Worker worker =
        run.join("w1", "n1", (info, connection) -> session.joined(info, null, connection));

    session.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));
    session.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));

    await().until(() -> !runs.ended.isEmpty());
    assertThat(runs.ended)
        .singleElement()
        .asString()
        .startsWith("r1: the ApplicationMaster failed at it")
        .endsWith("on purpose");
    assertThat(session.outcome()).isNotDone();
    assertThat(runs.records)
        .filteredOn(GraphEnded.class::isInstance)
        .singleElement()
        .extracting(end -> ((GraphEnded) end).outcome())
        .isEqualTo(GraphEnded.Outcome.FAILED);
  }

  /** Files and events of a run that throw on every call. */
  private static final class ThrowingFiles implements GraphEvents, RecordListener, RunFiles {
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final List<DispatchRecord> records = new CopyOnWriteArrayList<>();
    private final boolean inBackground;

    ThrowingFiles(boolean inBackground) {
      this.inBackground = inBackground;
    }

    @Override
    public RunFiles files(String graph) {
      if (inBackground) {
        return this;
      }
      throw new IllegalStateException("on purpose");
    }

    @Override
    public List<String> lost(List<String> results) {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public void remove(List<String> paths) {}

    @Override
    public void answer(Effect.Answer answer) {}

    @Override
    public void ended(String graph, Optional<RunFailure> failure) {
      ended.add(graph + ": " + failure.map(RunFailure::message).orElse(""));
    }

    @Override
    public void record(DispatchRecord record) {
      records.add(record);
    }

    @Override
    public void workerJoined(WorkerInfo worker, long now) {}

    @Override
    public void workerEnded(String worker, long now) {}
  }

  @Test
  void eventsAfterTheEndAreIgnored() {
    run.loop.shutdownNow();

    run.controller.lost("w1", "late");
    run.controller.start();

    assertThat(run.controller.outcome()).isNotDone();
  }

  @Test
  void unneededFilesAreDeletedAfterTheJournalIsWritten(@TempDir Path other) throws Exception {
    run.close();
    run = new TestRun(other, List.of("fa"));
    TestRun.Worker worker = run.join("w1", "n1");
    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));
    run.controller.reported("w1", report(worker.nextOrder(), Result.SUCCEEDED, 0));

    assertThat(run.controller.outcome().get()).isEmpty();
    await().until(() -> run.files.letGo.equals(List.of("fa")));
    assertThat(run.journalled()).last().isEqualTo(new DispatchRecord.FilesReleased(List.of("fa")));
  }
}
