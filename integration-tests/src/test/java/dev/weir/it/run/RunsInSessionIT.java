package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workflows in a running session, concurrently and with single jobs. */
class RunsInSessionIT extends SessionRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(4);

  RunsInSessionIT() {
    super("runs-in-session");
  }

  @BeforeEach
  void start() throws Exception {
    startSession();
  }

  @Test
  void runsAndJobsShareWorkersAndSurviveTheApplicationMaster() throws Exception {
    runs.put("one", ShellWorkflow.inputs());
    runs.put("two", ShellWorkflow.inputs());
    marks.open("gen");
    JobClient client = sessions.client(session, DEADLINE);
    try (LiveRun held = runs.startIn(session, ShellWorkflow.held(marks), "one")) {
      marks.awaitBegun("hold", 1);
      marks.open("clean");
      try (LiveRun lines = runs.startIn(session, ShellWorkflow.lines(marks), "two")) {
        assertThat(lines.end().state()).as(lines.failure()).isEqualTo(RunState.SUCCEEDED);
      }
      assertThat(client.session().runs()).isEqualTo(1);
      client.submit(job("beside", List.of(), List.of(), "true"));
      assertThat(client.await("beside", DEADLINE))
          .get()
          .extracting(JobStatus::state)
          .isEqualTo(JobState.SUCCEEDED);

      Processes.containing(Processes.MASTER, session).destroyForcibly();

      await("the next ApplicationMaster")
          .atMost(DEADLINE)
          .ignoreExceptions()
          .until(() -> client.session().workers() > 0);
      marks.open("hold");
      RunRecord record = held.end();
      assertThat(record.state()).as(held.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(marks.begun("hold")).as("beginnings of the running task").hasSize(1);
      assertThat(attempts(record, "gen0")).as("attempts of a finished task").hasSize(1);
    }
    assertThat(runs.text("one", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
    assertThat(runs.text("two", "final.txt").lines()).hasSize(ShellWorkflow.WIDTH);
    assertThat(client.list()).extracting(JobStatus::id).containsExactly("beside");
  }

  @Test
  @Tag("nightly")
  void stoppingASessionCancelsItsRunAndTheNextReusesItsTasks() throws Exception {
    runs.put("data", ShellWorkflow.inputs());
    marks.open("gen");
    try (LiveRun run = runs.startIn(session, ShellWorkflow.held(marks), "data")) {
      marks.awaitBegun("hold", 1);
      sessions.client(session, DEADLINE).stop(false);
      assertThat(run.end().state()).isEqualTo(RunState.CANCELLED);
    }
    await("end of the session").atMost(DEADLINE).until(() -> sessions.list().isEmpty());
    marks.open("hold");
    startSession();
    try (LiveRun again = runs.startIn(session, ShellWorkflow.held(marks), "data")) {
      RunRecord record = again.end();
      assertThat(record.state()).as(again.failure()).isEqualTo(RunState.SUCCEEDED);
      assertThat(ran(record)).doesNotContain("gen0", "gen1", "gen2", "gen3").contains("hold");
    }
  }
}
