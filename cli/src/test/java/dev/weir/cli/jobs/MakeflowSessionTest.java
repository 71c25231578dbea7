package dev.weir.cli.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test acts as makeflow: it calls the commands and reads the status files. */
class MakeflowSessionTest {

  private static final Workflow WORKFLOW =
      new Workflow(
          "one",
          List.of(
              new Task(
                  "r0", "sh", List.of("sh", "-c", "date > out"), List.of(), List.of("out"), 1)),
          Map.of("out", new DataFile("out", 0)));

  @TempDir private Path here;
  @TempDir private Path there;
  @TempDir private Path temp;
  private final StringWriter output = new StringWriter();
  private final FakeJobs jobs = new FakeJobs();
  private MakeflowSession session;

  /** A fake session with prepared answers. */
  private static final class FakeJobs implements RuleJobs {
    private interface Answer {
      EndedJobs get() throws IOException;
    }

    final BlockingQueue<Job> submitted = new LinkedBlockingQueue<>();
    final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    @Override
    public void submit(Job job) {
      submitted.add(job);
    }

    @Override
    public void cancel(String id) {}

    @Override
    public EndedJobs awaitEnds(long after, Duration atMost)
        throws IOException, InterruptedException {
      return answers.take().get();
    }
  }

  @BeforeEach
  void start() throws IOException {
    RawLocalFileSystem hdfs = new RawLocalFileSystem();
    hdfs.initialize(URI.create("file:///"), new Configuration(false));
    session =
        new MakeflowSession(
            WORKFLOW,
            new MakeflowSession.Outside(
                jobs, new MakeflowFiles(hdfs, there.toString(), here), new PrintWriter(output)),
            Files.createDirectory(temp.resolve("spool")),
            MakeflowCommand.Fetch.ALL);
    session.start();
  }

  @AfterEach
  void stop() throws IOException {
    session.close();
  }

  private Job submit() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(session.environment().get("BATCH_QUEUE_CLUSTER_SUBMIT_COMMAND"));
    command.environment().put("BATCH_JOB_COMMAND", ": weir-rule 0; date > out");
    Process process = command.start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).startsWith("Your job ");
    assertThat(process.waitFor()).isZero();
    return jobs.submitted.take();
  }

  private void end(Job job) {
    end(job, JobState.SUCCEEDED, 0);
  }

  private void end(Job job, JobState state, int code) {
    jobs.answers.add(
        () ->
            new EndedJobs(
                List.of(
                    new JobStatus(
                        job.id(),
                        job.tag(),
                        state,
                        1,
                        new JobStatus.Result(code, "n1", "", ""),
                        new JobStatus.Times(1, 2, 3, 1),
                        JobStatus.Traffic.NONE,
                        1)),
                1));
  }

  private void awaitStop(int code) {
    await()
        .untilAsserted(
            () ->
                assertThat(here.resolve("weir.status.1"))
                    .content()
                    .containsPattern("stop " + code + " \\d+\n"));
  }

  @Test
  void ruleIsAJobWhoseEndIsInItsStatusFile() throws Exception {
    Job job = submit();
    assertThat(job.command()).containsExactly("sh", "-c", "date > out");
    Files.writeString(there.resolve("out"), "today");

    end(job);

    awaitStop(0);
    assertThat(here.resolve("out")).hasContent("today");
    assertThat(output.toString()).isEmpty();
  }

  @Test
  void failedRuleSucceedsAfterARetry() throws Exception {
    Job job = submit();
    assertThat(session.isAtAnEnd(Duration.ZERO)).isFalse();
    end(job, JobState.FAILED, 3);
    awaitStop(3);
    assertThat(output.toString()).startsWith("weir: job 1 of makeflow: failed on n1, exit code 3");
    assertThat(session.failedCommands()).containsExactly("sh -c date > out");
    assertThat(session.isAtAnEnd(Duration.ZERO)).isTrue();
    assertThat(session.isAtAnEnd(Duration.ofMinutes(10))).isFalse();

    Job again = submit();

    assertThat(session.failedCommands()).isEmpty();
    assertThat(session.isAtAnEnd(Duration.ZERO)).isFalse();
    Files.writeString(there.resolve("out"), "today");
    end(again, JobState.SUCCEEDED, 0);
    await().until(() -> Files.exists(here.resolve("weir.status.2")));
    assertThat(session.failedCommands()).isEmpty();
  }

  @Test
  void idleMakeflowIsEndedAndItsExitCodeCorrected() throws Exception {
    end(submit(), JobState.FAILED, 3);
    awaitStop(3);
    MakeflowWatch watch = new MakeflowWatch(session, new PrintWriter(output));

    assertThat(watch.await(new ProcessBuilder("true").start(), Duration.ofDays(1))).isEqualTo(1);
    assertThat(output.toString()).contains("a rule has failed: sh -c date > out");

    Process waits = new ProcessBuilder("sleep", "100000").start();
    assertThat(watch.await(waits, Duration.ZERO)).isNotZero();
    assertThat(output.toString()).contains("it is ended");
  }

  @Test
  void requestsToASilentSessionAreRetried() throws Exception {
    Job job = submit();
    Files.writeString(there.resolve("out"), "today");
    for (int i = 0; i < 2; i++) {
      jobs.answers.add(
          () -> {
            throw new IOException("connection refused");
          });
    }

    end(job);

    awaitStop(0);
    assertThat(output.toString())
        .containsOnlyOnce("does not answer")
        .contains("connection refused")
        .containsOnlyOnce("answers again");
  }

  @Test
  void endOfTheSessionFailsTheRules() throws Exception {
    submit();

    jobs.answers.add(
        () -> {
          throw new JobException(410, "The session has ended");
        });

    awaitStop(1);
    assertThat(output.toString()).contains("the session is lost").contains("has ended");
  }
}
