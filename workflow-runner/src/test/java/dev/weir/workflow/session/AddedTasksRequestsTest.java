package dev.weir.workflow.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.concurrent.PeriodicTasks;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.jobserver.JobFileUses;
import dev.weir.workflow.jobserver.JobOrders;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.CommitLease;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalTestBase;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.CacheTraffic;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.staging.AddedTasks;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunProgress;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How the ApplicationMasters of a run handle requests to add tasks. */
class AddedTasksRequestsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final ApplicationId RUN = ApplicationId.newInstance(7, 2);
  private static final long NOW = 5_000;

  private final MutableClock clock = new MutableClock(Instant.ofEpochMilli(NOW));
  private final Staging staging = new Staging(HDFS.fs(), new Path("/runs/" + RUN));
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  void writePlan() throws IOException {
    HDFS.fs().delete(staging.directory(), true);
    staging.create();
    staging.writeJson(Staging.PLAN, Plans.of(1, Plans.task("a", List.of(), List.of("fa"))));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable resource : open) {
      resource.close();
    }
    threads.shutdownNow();
  }

  /** An ApplicationMaster of the run. */
  private final class Master {
    final int attempt;
    final Journal journal;
    final Dispatcher dispatcher =
        Dispatchers.of(AssignmentPolicy.FIFO, Limits.DEFAULT, new WorkerSize(4, Long.MAX_VALUE, 0));
    final JobRegistry jobs = new JobRegistry(1, (job, ended) -> {});
    final ManagedRuns runs =
        new ManagedRuns(
            new JobOrders(jobs, "x.1-1", new JobFileUses(1), clock), jobs, new TestRun.Files());
    final SessionController controller;

    /** Applies once the run has begun. */
    CommitLease lease = CommitLease.unlimited();

    Master(int attempt) {
      this.attempt = attempt;
      journal =
          new Journal(HDFS.fs(), staging.directory(), attempt, Journal.PAUSE_MILLIS, () -> {});
      ExecutorService loop = Executors.newSingleThreadExecutor();
      controller =
          new SessionController(
              dispatcher,
              new SessionController.Collaborators(runs, journal, runs, runs),
              clock,
              new SessionController.Threads(loop, Runnable::run));
      open.add(journal);
      open.add(loop::shutdownNow);
    }

    ManagedRun open() throws IOException {
      return ManagedRun.open(
          new ManagedRun.SessionContext(
              new YarnConfiguration(HDFS.fs().getConf()),
              HDFS.fs(),
              ApplicationAttemptId.newInstance(RUN, attempt),
              Map.of("n", "/r"),
              clock,
              clock,
              Duration.ofSeconds(30)),
          RUN,
          staging);
    }

    /** Begins the run, which an earlier ApplicationMaster may have journalled. */
    ManagedRun begin(List<DispatchRecord> journalled) throws Exception {
      SessionReplay replay =
          new SessionReplay(
              dispatcher, jobs, runs, graph -> Optional.of(open()), (graph, why) -> {});
      for (DispatchRecord record : journalled) {
        replay.replay(new Journal.Line(1, 1, record));
      }
      replay.finish(attempt);
      journal.start();
      ManagedRun run = journalled.isEmpty() ? open() : runs.all().iterator().next();
      run.begin(
          controller,
          id -> CompletableFuture.completedFuture(new SteeringAnswer(0, "no")),
          threads,
          CacheTraffic.NONE);
      if (journalled.isEmpty()) {
        runs.add(run);
        Graph graph = run.dispatched();
        controller.submit(() -> dispatcher.addGraph(graph, List.of(), NOW)).join();
      }
      controller.useLease(lease);
      controller.start();
      PeriodicTasks rounds = new PeriodicTasks();
      open.add(rounds);
      open.add(run);
      run.follow(rounds);
      return run;
    }
  }

  private String request(String file) throws IOException {
    return request(new Steering(Steering.Action.ADD_TASKS, file, 0));
  }

  private String request(Steering steering) throws IOException {
    clock.advance(Duration.ofMillis(1));
    return SteeringRequest.write(staging, steering, clock);
  }

  private String request(String task, List<String> inputs, List<String> outputs)
      throws IOException {
    clock.advance(Duration.ofMillis(1));
    return request(
        new AddedTasks(Plans.of(1, Plans.task(task, inputs, outputs)).workflow())
            .write(staging, clock));
  }

  private SteeringAnswer answer(String request) throws IOException {
    String name = SteeringRequest.answer(request);
    await().until(() -> staging.number(name) != 0);
    return staging.readJson(name, SteeringAnswer.class);
  }

  private static List<String> tasks(ManagedRun run) {
    return run.plan().workflow().tasks().stream().map(task -> task.id()).toList();
  }

  @Test
  void requestsAreAppliedInTheirOrderAndOnce() throws Exception {
    String first = request("b", List.of("fa"), List.of("fb"));
    String second = request("c", List.of("fb"), List.of("fc"));
    Master master = new Master(1);
    ManagedRun run = master.begin(List.of());
    assertThat(answer(first)).isEqualTo(new SteeringAnswer(1, "1 task added"));
    assertThat(answer(second)).isEqualTo(new SteeringAnswer(1, "1 task added"));
    assertThat(tasks(run)).containsExactly("a", "b", "c");
    assertThat(staging.names("adding-")).isEmpty();
    List<String> files = staging.names("added-");
    assertThat(files).hasSize(2);
    master.journal.finish();

    staging.delete(SteeringRequest.answer(first));
    staging.delete(SteeringRequest.answer(second));
    ManagedRun next = new Master(2).begin(JournalTestBase.read(HDFS.fs(), staging.directory()));

    assertThat(answer(first)).isEqualTo(new SteeringAnswer(1, "already added"));
    assertThat(answer(second)).isEqualTo(new SteeringAnswer(1, "already added"));
    assertThat(tasks(next)).containsExactly("a", "b", "c");
    assertThat(staging.names("added-")).isEqualTo(files);
  }

  @Test
  void runThatJoinsLaterHasTheNotesOfTheSession() throws Exception {
    Master master = new Master(1);
    master.runs.note("a disk is full");

    master.begin(List.of());

    await()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(staging.readJson(Staging.STATUS, RunProgress.class).notes())
                    .contains("a disk is full"));
  }

  @Test
  void tasksThatThePlanCannotHaveAreRefused() throws Exception {
    String refused = request("b", List.of(), List.of("fa/b"));
    String clash = request("a", List.of("fa"), List.of("fb"));
    String fine = request("c", List.of("fa"), List.of("fc"));
    Master master = new Master(1);
    ManagedRun run = master.begin(List.of());

    assertThat(answer(refused).tasks()).isZero();
    assertThat(answer(refused).text()).contains("'fa' is also a directory");
    assertThat(answer(clash).tasks()).isZero();
    assertThat(answer(fine).tasks()).isEqualTo(1);
    assertThat(tasks(run)).containsExactly("a", "c");
    assertThat(AddedTasks.readPlan(staging).workflow()).isEqualTo(run.plan().workflow());
    assertThat(staging.names("add")).hasSize(1);
    assertThat(master.controller.outcome()).isNotDone();
  }

  @Test
  void requestDeletesNoOtherFile() throws Exception {
    String plan = request(Staging.PLAN);
    String missing = request("adding-1.json");
    ManagedRun run = new Master(1).begin(List.of());

    assertThat(answer(plan).text()).contains("the tasks cannot be read");
    assertThat(answer(missing).text()).contains("the tasks cannot be read");
    assertThat(AddedTasks.readPlan(staging).workflow()).isEqualTo(run.plan().workflow());
  }

  @Test
  void undecidedTasksAreNoPartOfThePlan() throws Exception {
    Master master = new Master(1);
    String request = request("b", List.of("fa"), List.of("fb"));
    master.lease = lostLease();

    ManagedRun run = master.begin(List.of());

    await().until(() -> tasks(run).contains("b"));
    assertThat(staging.names("added-")).as("another ApplicationMaster may decide").isEmpty();
    assertThat(staging.names("answer-")).isEmpty();
    assertThat(AddedTasks.readPlan(staging).workflow().tasks()).hasSize(1);
    master.journal.finish();

    ManagedRun next = new Master(2).begin(JournalTestBase.read(HDFS.fs(), staging.directory()));

    assertThat(answer(request)).isEqualTo(new SteeringAnswer(1, "already added"));
    assertThat(tasks(next)).containsExactly("a", "b");
    assertThat(AddedTasks.readPlan(staging).workflow()).isEqualTo(next.plan().workflow());
  }

  /** The lease of an ApplicationMaster that another one has replaced. */
  private static CommitLease lostLease() {
    return new CommitLease(() -> {}, System::nanoTime);
  }

  @Test
  void replacedApplicationMasterRefusesNothing() throws Exception {
    String clash = request("a", List.of("fa"), List.of("fb"));
    String dropped = request("b", List.of("nosuch"), List.of("fb"));
    String cancel = request(Steering.of(Steering.Action.PAUSE, ""));
    Master master = new Master(1);
    master.lease = lostLease();

    ManagedRun run = master.begin(List.of());

    await().until(() -> staging.number(SteeringRequest.answer(cancel)) != 0);
    assertThat(tasks(run)).containsExactly("a");
    assertThat(staging.names("answer-")).containsExactly(SteeringRequest.answer(cancel));
    assertThat(staging.names("adding-")).hasSize(2);

    Master next = new Master(2);
    next.begin(JournalTestBase.read(HDFS.fs(), staging.directory()));
    assertThat(answer(clash).tasks()).isZero();
    assertThat(answer(dropped).tasks()).isZero();
    assertThat(staging.names("add")).isEmpty();
  }

  @Test
  void refusedRequestIsNotDecidedAgain() throws Exception {
    String refused = request("b", List.of("nosuch"), List.of("fb"));
    Master master = new Master(1);
    ManagedRun run = master.begin(List.of());
    SteeringAnswer before = answer(refused);
    assertThat(before.text()).contains("'nosuch'");
    master.journal.finish();
    try (OutputStream out = HDFS.fs().create(new Path(run.plan().dataDir(), "nosuch"))) {
      out.write(1);
    }

    String later = request("c", List.of("fa"), List.of("fc"));
    ManagedRun next = new Master(2).begin(JournalTestBase.read(HDFS.fs(), staging.directory()));

    assertThat(answer(later).tasks()).isEqualTo(1);
    assertThat(answer(refused)).isEqualTo(before);
    assertThat(tasks(next)).containsExactly("a", "c");
  }

  @Test
  void cancelDoesNotOvertakeAnAddition() throws Exception {
    String added = request("b", List.of("fa"), List.of("fb"));
    String cancel = request(Steering.of(Steering.Action.CANCEL, "b"));
    Master master = new Master(1);

    ManagedRun run = master.begin(List.of());

    assertThat(answer(cancel)).isEqualTo(new SteeringAnswer(1, "1 task cancelled"));
    assertThat(answer(added).tasks()).isEqualTo(1);
    assertThat(tasks(run)).containsExactly("a", "b");
  }

  @Test
  void requestsAreAnsweredWhenTheRunHasEnded() throws Exception {
    String added = request("b", List.of("fa"), List.of("fb"));
    Master master = new Master(1);
    master.lease = lostLease();
    ManagedRun run = master.begin(List.of());
    await().until(() -> tasks(run).contains("b"));

    run.finish(new RecordingClosingServices(), RunFailure.ofRun("ended by the test", ""));

    assertThat(staging.readJson(SteeringRequest.answer(added), SteeringAnswer.class).tasks())
        .isEqualTo(1);
    assertThat(AddedTasks.readPlan(staging).workflow()).isEqualTo(run.plan().workflow());
  }

  /** A run with a task that stands for the workflow in a file, of which others need "fx". */
  private Master withSubWorkflow(String text) throws IOException {
    Task sub =
        new Task(
            "sub",
            SubWorkflow.TYPE,
            new SubWorkflow("sub.jx", Map.of("N", "2")).words(),
            List.of("sub.jx"),
            List.of("fx"),
            0);
    RunPlan plan = Plans.of(1, sub, Plans.task("a", List.of("fx"), List.of("fa")));
    staging.writeJson(Staging.PLAN, plan);
    try (OutputStream out = HDFS.fs().create(new Path(plan.dataDir(), "sub.jx"))) {
      out.write(text.getBytes(UTF_8));
    }
    return new Master(1);
  }

  @Test
  void subWorkflowIsAddedOnce() throws Exception {
    Master master =
        withSubWorkflow(
            """
            {"rules": [
              {"command": "true " + I, "outputs": ["p" + I]} for I in range(N),
              {"command": "cat p0 p1 > fx", "inputs": ["p0", "p1"], "outputs": ["fx"]}]}
            """);
    ManagedRun run = master.begin(List.of());

    await().until(() -> !staging.names("added-").isEmpty());
    assertThat(tasks(run)).containsExactly("sub", "a", "sub.true-1", "sub.true-2", "sub.cat-3");
    assertThat(AddedTasks.readPlan(staging).workflow()).isEqualTo(run.plan().workflow());
    master.journal.finish();
    HDFS.fs().delete(new Path(run.plan().dataDir(), "sub.jx"), false);

    Master next = new Master(2);
    ManagedRun resumed = next.begin(JournalTestBase.read(HDFS.fs(), staging.directory()));

    assertThat(resumed.plan().workflow()).isEqualTo(run.plan().workflow());
    assertThat(next.controller.progress(run.graph()).tasks()).isEqualTo(5);
    assertThat(next.controller.outcome()).isNotDone();
  }

  @Test
  void lostSubWorkflowIsMadeAgain() throws Exception {
    RunPlan plan =
        Plans.of(
            1,
            Plans.task("plan", List.of(), List.of("sub.jx")),
            new Task(
                "sub",
                SubWorkflow.TYPE,
                new SubWorkflow("sub.jx", Map.of()).words(),
                List.of("sub.jx"),
                List.of("fx"),
                0));
    staging.writeJson(Staging.PLAN, plan);
    Path file = new Path(plan.dataDir(), "sub.jx");
    HDFS.fs().delete(file, false);
    Master master = new Master(1);
    ManagedRun run = master.begin(List.of());
    BlockingQueue<TaskOrder> orders = new LinkedBlockingQueue<>();
    Connection worker =
        new Connection() {
          @Override
          public void send(Message message) {
            if (message instanceof Message.Run given) {
              orders.add(given.order());
            }
          }

          @Override
          public void close() {}
        };
    master.controller.joined(new WorkerInfo("w", "n", "/r"), null, worker);
    TaskOrder first = orders.take();

    master.controller.reported("w", TestRun.report(first, TaskReport.Result.SUCCEEDED, 0));
    TaskOrder second = orders.take();
    assertThat(second.task()).isEqualTo(first.task());
    assertThat(second.attempt()).isEqualTo(2);

    try (OutputStream out = HDFS.fs().create(file)) {
      out.write("{\"rules\": [{\"command\": \"x\", \"outputs\": [\"fx\"]}]}".getBytes(UTF_8));
    }
    master.controller.reported("w", TestRun.report(second, TaskReport.Result.SUCCEEDED, 0));
    assertThat(orders.take().task()).isEqualTo(ScopedId.of(run.graph(), "sub.x-1"));
  }

  @Test
  void invalidSubWorkflowFailsTheRun() throws Exception {
    assertThat(failure("{\"rules\": [")).startsWith("Task sub: /data/sub.jx: 1:");
    assertThat(failure("{\"rules\": [{\"command\": \"x\", \"outputs\": [\"y\"]}]}"))
        .contains("/data/sub.jx: no task of it makes the file 'fx'", "; let one of its tasks");
    assertThat(
            failure(
                "{\"rules\": [{\"command\": \"x\", \"inputs\": [\"fa\"], \"outputs\": [\"fx\"]}]}"))
        .contains("/data/sub.jx: the tasks depend on each other in a cycle");
    assertThat(
            failure(
                "{\"rules\": [{\"command\": \"x\", \"outputs\": [\"p\" + I]} for I in range(30000),"
                    + "{\"command\": \"x\", \"outputs\": [\"fx\"]}]}"))
        .contains("it has 30001 tasks, and workflows that tasks make may add 20000 more");
    assertThat(
            failure(
                "{\"rules\": [{\"command\": \"x\", \"inputs\": [\"none\"],"
                    + " \"outputs\": [\"fx\"]}]}"))
        .contains("/data/sub.jx: task 'sub.x-1' reads 'none', which is not in HDFS");
  }

  private String failure(String text) throws Exception {
    writePlan();
    Master master = withSubWorkflow(text);
    RunFailure failure = master.begin(List.of()).outcome().get(1, TimeUnit.MINUTES).orElseThrow();
    master.journal.finish();
    return failure.inOneLine();
  }
}
