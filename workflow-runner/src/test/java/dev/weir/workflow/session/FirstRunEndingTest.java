package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.jobserver.JobFileUses;
import dev.weir.workflow.jobserver.JobOrders;
import dev.weir.workflow.jobserver.JobRegistry;
import dev.weir.workflow.journal.Fencings;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.ManagedRun;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** When the session that began with a run ends. */
class FirstRunEndingTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static final ApplicationId FIRST = ApplicationId.newInstance(7, 1);
  private static final String MISSING = ApplicationId.newInstance(7, 2).toString();

  private final MutableClock clock = new MutableClock(Instant.ofEpochMilli(5_000));
  private final RunDirectories directories = RunDirectories.own(HDFS.fs());
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private ManagedRun first;
  private SessionServices services;
  private RunService service;

  @BeforeEach
  void begin() throws IOException {
    RunPlan plan = Plans.of(1, Plans.task("a", List.of(), List.of("fa")));
    Path library = new Path("/library");
    HDFS.fs().mkdirs(library);
    Staging staging = directories.directory(FIRST.toString()).withLibrary(library);
    staging.create();
    staging.writeJson(Staging.PLAN, plan);
    // An earlier ApplicationMaster has written the record of the run.
    staging.writeJson(
        Staging.SUMMARY,
        RunSummary.of(FIRST.toString(), plan, clock.instant())
            .ended(
                new RunSummary.End(
                    RunState.FAILED, clock.instant().toString(), 0, 0, 1, 0, 0, "on purpose")));
    YarnConfiguration conf = new YarnConfiguration(HDFS.fs().getConf());
    ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(FIRST, 2);
    ManagedRun.SessionContext context =
        new ManagedRun.SessionContext(
            conf, HDFS.fs(), attempt, Map.of("n", "/r"), clock, clock, Duration.ofSeconds(30));
    JobRegistry jobs = new JobRegistry(1, (job, ended) -> {});
    ManagedRuns runs =
        new ManagedRuns(
            new JobOrders(jobs, "x.1-2", new JobFileUses(1), clock), jobs, new TestRun.Files());
    first = ManagedRun.open(context, FIRST, staging);
    runs.add(first);
    Dispatcher dispatcher =
        Dispatchers.of(AssignmentPolicy.FIFO, Limits.DEFAULT, plan.workers().size());
    services =
        new SessionServices(
            new SessionServices.Context(
                conf,
                HDFS.fs(),
                staging,
                directories.root(),
                plan,
                new SessionServices.InitialRequest(1, rate -> List.of()),
                () -> false,
                attempt,
                Fencings.alone(),
                clock),
            dispatcher,
            runs,
            new Journal(HDFS.fs(), staging.directory(), 2, Journal.PAUSE_MILLIS, () -> {}));
    service =
        new RunService(
            new RunService.Parts(dispatcher, runs, services, TaskSecrets.NONE),
            context,
            directories,
            () -> false,
            threads::add);
    new FirstRunEnding(first, service, services.controller()).watch();
  }

  @AfterEach
  void end() throws IOException {
    services.close();
  }

  private void runAll() {
    while (!threads.isEmpty()) {
      threads.remove().run();
    }
  }

  private CompletableFuture<Optional<RunFailure>> sessionEnd() {
    return services.controller().outcome();
  }

  @Test
  void sessionEndsWithItsOnlyRun() {
    RunFailure failure = RunFailure.ofRun("on purpose", "");

    first.ended(Optional.of(failure));

    assertThat(sessionEnd()).isCompletedWithValue(Optional.of(failure));
    assertThat(service.take(MISSING).thenApply(SteeringAnswer::tasks)).isNotDone();
    runAll();
    assertThat(sessionEnd()).isCompletedWithValue(Optional.of(failure));
  }

  @Test
  void sessionEndsWhenARunIsRefusedAfterTheEndOfTheFirst() {
    CompletableFuture<SteeringAnswer> answer = service.take(MISSING);
    first.ended(Optional.empty());
    assertThat(sessionEnd()).as("the run may be accepted").isNotDone();

    threads.removeLast().run();
    assertThat(first.closed()).isCompletedWithValue(RunState.FAILED);
    assertThat(sessionEnd()).isNotDone();
    runAll();

    assertThat(answer.join().text()).contains("has no plan");
    assertThat(answer.join().tasks()).isZero();
    assertThat(sessionEnd()).isCompletedWithValue(Optional.empty());
    assertThat(service.submit("{\"id\":\"" + MISSING + "\"}").join().json())
        .contains("about to end");
  }

  @Test
  void sessionEndsWhenARunIsRefusedBeforeTheEndOfTheFirst() {
    CompletableFuture<SteeringAnswer> answer = service.take(MISSING);
    runAll();
    assertThat(answer.join().tasks()).isZero();
    assertThat(sessionEnd()).isNotDone();

    first.ended(Optional.empty());

    assertThat(sessionEnd()).isCompletedWithValue(Optional.empty());
  }
}
