package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.jobs.SessionStatus;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.run.FakeSession;
import dev.weir.workflow.run.OneNodeHdfs;
import dev.weir.workflow.run.Plans;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.RunSummary;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests how runs are submitted to a session, awaited and ended. */
class SessionSubmitterTest {

  private static final ApplicationId SESSION = ApplicationId.newInstance(7, 3);
  private static final String RUN = SessionYarn.NEXT.toString();
  private static final Task TASK = new Task("a", "t", List.of("true"), List.of(), List.of(), 1);

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  private final Map<ApplicationId, YarnApplicationState> states = new ConcurrentHashMap<>();
  private final Staging directory = RunDirectories.own(fs).directory(RUN);
  private FakeSession session;
  private final List<ApplicationId> killed = new CopyOnWriteArrayList<>();
  private String user;

  @BeforeEach
  void startSession() throws IOException {
    RunDirectories.own(fs).forgetRuns();
    session =
        new FakeSession(
            new SessionStatus(
                SESSION.toString(),
                "s3",
                0,
                0,
                0,
                0,
                2,
                2,
                0,
                new SessionStatus.Offer("weir", 5, 2, 1024)));
    states.put(SESSION, YarnApplicationState.RUNNING);
    user = UserGroupInformation.getCurrentUser().getShortUserName();
    Staging staging = SessionStarter.staging(fs, SESSION);
    staging.create();
    staging.writeJson(Staging.ENDPOINT, session.endpoint());
  }

  @AfterEach
  void stopSession() {
    session.close();
  }

  private SessionYarn yarn() {
    return new SessionYarn(user, states, killed);
  }

  private RunHandle submit(String named, Duration timeout, Task... tasks) throws Exception {
    // The session of a test ends no runs, which keep their locks.
    fs.delete(new org.apache.hadoop.fs.Path("/data"), true);
    RunRequest request =
        RunRequest.builder(new Workflow("w", List.of(tasks), Map.of()), "/data")
            .mode(Mode.STOCK)
            .build();
    try (SessionSubmitter submitter =
        new SessionSubmitter(new Configuration(fs.getConf()), named, this::yarn, timeout)) {
      return submitter.submit(request, run -> {});
    }
  }

  private RunHandle submit(String named) throws Exception {
    return submit(named, Duration.ofSeconds(20), TASK);
  }

  private RunSummary summary() throws IOException {
    return directory.readJson(Staging.SUMMARY, RunSummary.class);
  }

  private List<String> requests() throws IOException {
    return directory.names(SteeringRequest.PREFIX);
  }

  private void writeRecord(RunState state) throws IOException {
    RunRecord record =
        new RunRecord(RUN, "w", "stock", state, Instant.EPOCH, Instant.EPOCH, List.of(), List.of());
    directory.write(Staging.RECORD, out -> RunRecordCodec.write(record, out));
  }

  private KnownRun known() throws IOException {
    return new KnownRun(
        SessionYarn.NEXT, directory, new Runs(new Configuration(), fs, yarn(), Clock.systemUTC()));
  }

  @Test
  void runIsSubmittedToTheOnlySession() throws Exception {
    try (RunHandle run = submit(SessionSubmitter.AUTO)) {
      assertThat(run.id()).isEqualTo(RUN);
    }

    assertThat(session.requests).contains("POST /v1/runs {\"id\":\"" + RUN + "\"}");
    RunPlan plan = directory.readJson(Staging.PLAN, RunPlan.class);
    assertThat(plan.workers()).isEqualTo(new WorkerPlan(5, 2, 1024, 2));
    assertThat(plan.mode()).isEqualTo(Mode.STOCK);
    assertThat(plan.workflow().tasks()).hasSize(1);
    assertThat(directory.readJson(Staging.OTHERS, String[].class))
        .containsExactly(SESSION.toString());
    assertThat(summary().session()).isEqualTo(SESSION.toString());
    assertThat(summary().end()).isNull();
  }

  @Test
  void sessionIsFoundByNameOrId() throws Exception {
    states.put(ApplicationId.newInstance(7, 4), YarnApplicationState.RUNNING);

    submit("s3").close();
    submit(SESSION.toString()).close();

    assertThat(session.runs).containsOnlyKeys(RUN);
    assertThatThrownBy(() -> submit(SessionSubmitter.AUTO))
        .isInstanceOf(RunException.class)
        .hasMessage(
            "You have application_7_0004 ('s4'), application_7_0003 ('s3'): name one of them with"
                + " --session ID");
    assertThatThrownBy(() -> submit("s5"))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("You have no session called 's5', but application_7_0004 ('s4')");
  }

  /** The session of a run, which answers the request to take another. */
  private ApplicationId sessionOfRun(SteeringAnswer answer) throws IOException {
    ApplicationId first = ApplicationId.newInstance(7, 2);
    states.put(first, YarnApplicationState.RUNNING);
    Staging staging = RunDirectories.own(fs).directory(first.toString());
    staging.create();
    RunPlan plan = Plans.of(3, TASK);
    staging.writeJson(Staging.PLAN, plan);
    staging.writeJson(Staging.SUMMARY, RunSummary.of(first.toString(), plan, Instant.EPOCH));
    Thread master =
        new Thread(
            () ->
                await()
                    .until(
                        () -> {
                          List<String> names = staging.names(SteeringRequest.PREFIX);
                          if (!names.isEmpty()) {
                            staging.writeJson(
                                SteeringRequest.answer(
                                    SteeringRequest.parse(names.get(0)).orElseThrow()),
                                answer);
                          }
                          return !names.isEmpty();
                        }));
    master.setDaemon(true);
    master.start();
    return first;
  }

  @Test
  void runIsAddedToTheSessionOfAnother() throws Exception {
    ApplicationId first = sessionOfRun(new SteeringAnswer(1, "taken"));

    submit("2").close();

    assertThat(summary().session()).isEqualTo(first.toString());
    assertThat(summary().end()).isNull();
    Staging staging = RunDirectories.own(fs).directory(first.toString());
    assertThat(staging.readJson(staging.names(SteeringRequest.PREFIX).get(0), Steering.class))
        .isEqualTo(new Steering(Steering.Action.TAKE_RUN, RUN, 0));
    assertThat(known().view().stage()).isEqualTo(RunView.Stage.RUNNING);
    states.put(first, YarnApplicationState.FINISHED);
    assertThatThrownBy(() -> submit(first.toString()))
        .isInstanceOf(RunException.class)
        .hasMessage(
            "The run " + first + " has ended, and its session with it: leave --session out");
  }

  @Test
  void runThatTheSessionOfAnotherRefusesLeavesNothing() throws Exception {
    ApplicationId first = sessionOfRun(new SteeringAnswer(0, "refused on purpose"));

    assertThatThrownBy(() -> submit(first.toString()))
        .isInstanceOf(RunException.class)
        .hasMessage("refused on purpose");
    assertThat(fs.exists(directory.directory())).isFalse();
  }

  @Test
  void missingSessionIsRefusedWithRemedy() {
    states.clear();

    assertThatThrownBy(() -> submit(SessionSubmitter.AUTO))
        .isInstanceOf(RunException.class)
        .hasMessage("You have no session: start one with 'weir session start'");
    assertThatThrownBy(() -> submit("s3"))
        .hasMessageContaining("You have no session called 's3': start one");
  }

  @Test
  void endedSessionIsReported() throws Exception {
    states.put(SESSION, YarnApplicationState.KILLED);
    session.close();

    assertThatThrownBy(() -> submit(SESSION.toString()))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("The session " + SESSION + " has ended (KILLED)");
    assertThat(RunDirectories.own(fs).ids()).isEmpty();
  }

  @Test
  void sessionOfAnotherUserIsRefusedAtOnce() throws Exception {
    SessionStarter.staging(fs, SESSION).delete();
    String self = user;
    user = "ann";

    assertThatThrownBy(() -> submit(SESSION.toString()))
        .isInstanceOf(RunException.class)
        .hasMessage(
            SESSION + " is a session of ann, and you are " + self + ": only its owner may use it");
    assertThat(RunDirectories.own(fs).ids()).isEmpty();
  }

  @Test
  void lostAnswersAreRequestedAgain() throws Exception {
    session.statuses.add(0);

    submit("s3").close();

    assertThat(session.requests.stream().filter(asked -> asked.startsWith("POST"))).hasSize(2);
    assertThat(session.runs).containsOnlyKeys(RUN);
    assertThat(summary().end()).isNull();
  }

  @Test
  void refusedRunLeavesNothing() {
    session.statuses.add(409);

    assertThatThrownBy(() -> submit("s3"))
        .isInstanceOf(RunException.class)
        .hasMessage("refused on purpose");
    assertThat(directory.directory()).satisfies(path -> assertThat(fs.exists(path)).isFalse());
  }

  @Test
  void runThatMayHaveBeenAcceptedIsCancelled() throws Exception {
    session.statuses.addAll(List.of(503, 503, 503));

    assertThatThrownBy(() -> submit("s3", Duration.ofMillis(1), TASK))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("The session " + SESSION + " does not answer (refused on purpose)")
        .hasMessageContaining("'weir status " + RUN + "'");
    assertThat(requests()).hasSize(1);
    RunSummary.End end = summary().end();
    assertThat(end).isNotNull();
    assertThat(end.state()).isEqualTo(RunState.CANCELLED);
  }

  @Test
  void taskThatFitsNoWorkerIsRefused() {
    Task large =
        new Task(
            "big",
            "t",
            List.of("true"),
            List.of(),
            List.of(),
            List.of(),
            1,
            new TaskNeeds(3, 0, 0));

    assertThatThrownBy(() -> submit("s3", Duration.ofSeconds(20), large))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("The task 'big' needs 3 cores")
        .hasMessageContaining("start a session with larger workers by 'weir session start");
    assertThat(session.runs).isEmpty();
  }

  @Test
  void awaitsTheEndReportedByTheSession() throws Exception {
    try (RunHandle run = submit("s3")) {
      CompletableFuture<RunRecord> record =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return run.await(progress -> {});
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      await().until(() -> session.requests.contains("GET /v1/runs/" + RUN + "?wait=60"));
      writeRecord(RunState.SUCCEEDED);
      session.end(RUN, RunState.SUCCEEDED);

      assertThat(record.get().state()).isEqualTo(RunState.SUCCEEDED);
    }
  }

  @Test
  void runOfAnEndedSessionHasNoRecord() throws Exception {
    try (RunHandle run = submit("s3")) {
      states.put(SESSION, YarnApplicationState.KILLED);
      session.close();

      assertThatThrownBy(() -> run.await(progress -> {}))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("The run " + RUN + " left no record: The session " + SESSION)
          .hasMessageContaining("yarn logs -applicationId " + SESSION);
    }
  }

  @Test
  void killedRunDoesNotEndItsSession() throws Exception {
    try (RunHandle run = submit("s3")) {
      run.kill();
    }

    assertThat(session.runs).containsEntry(RUN, RunState.CANCELLED);
    assertThat(killed).isEmpty();
    assertThat(summary().end()).as("the session writes it").isNull();
  }

  @Test
  void runUnknownToItsSessionIsRecordedAsKilled() throws Exception {
    try (RunHandle run = submit("s3")) {
      session.runs.clear();
      run.kill();
    }

    assertThat(summary().end()).isNotNull();
  }

  @Test
  void runIsCancelledByASteeringRequest() throws Exception {
    try (RunHandle run = submit("s3")) {
      assertThat(run.cancel()).isTrue();
      assertThat(requests()).hasSize(1);
      states.put(SESSION, YarnApplicationState.FINISHED);
      assertThat(run.cancel()).isFalse();
    }
  }

  @Test
  void runIsLiveWhileItsSessionIs() throws Exception {
    submit("s3").close();

    assertThat(known().view().stage()).isEqualTo(RunView.Stage.RUNNING);
    Runs runs = new Runs(new Configuration(), fs, yarn(), Clock.systemUTC());
    assertThat(runs.list()).extracting(RunView::stage).containsExactly(RunView.Stage.RUNNING);
    assertThat(runs.find("last").id()).isEqualTo(SessionYarn.NEXT);
    states.put(SESSION, YarnApplicationState.KILLED);
    assertThat(known().view().stage()).isEqualTo(RunView.Stage.CANCELLED);
    states.clear();
    assertThat(known().view().stage()).isEqualTo(RunView.Stage.LOST);
  }

  @Test
  void sessionPrioritisesTheRun() throws Exception {
    submit("s3").close();

    assertThatThrownBy(() -> known().prioritise(4, Duration.ZERO))
        .isInstanceOf(SteeringException.class)
        .hasMessageContaining("has not answered");
    assertThat(directory.readJson(requests().get(0), Steering.class))
        .isEqualTo(new Steering(Steering.Action.PRIORITISE, "", 4));
  }
}
