package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.client.SessionStarter;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.staging.RunDirectories;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A session on a real cluster: engines give it jobs, its ApplicationMaster dies, its workers go.
 */
@Tag("nightly")
class SessionIT extends SessionRuns {
  private static final Duration DEADLINE = Duration.ofMinutes(4);
  private static final String MASTER = "dev.weir.workflow.session.SessionMaster";
  private static final int JOBS_OF_EACH = 25;
  private static final int READERS = 6;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  SessionIT() {
    super("session");
  }

  @BeforeEach
  void start() throws Exception {
    startSession();
  }

  @AfterEach
  void endClients() {
    threads.shutdownNow();
  }

  @Test
  void fiftyJobsOfTwoClientsOutliveTheApplicationMasterAndTheWorkersGoHome() throws Exception {
    runs.put("data", Map.of("in.txt", "seed\n".getBytes(StandardCharsets.UTF_8)));
    CompletableFuture<List<JobStatus>> one =
        CompletableFuture.supplyAsync(() -> chain("a"), threads);
    CompletableFuture<List<JobStatus>> two =
        CompletableFuture.supplyAsync(() -> chain("b"), threads);
    JobClient client = sessions.client(session, DEADLINE);
    await("some jobs done")
        .atMost(DEADLINE)
        .until(() -> client.session().succeeded() >= JOBS_OF_EACH / 2);

    Processes.containing(MASTER, session).destroyForcibly();

    assertThat(one.get()).allMatch(job -> job.state() == JobState.SUCCEEDED).hasSize(JOBS_OF_EACH);
    assertThat(two.get()).allMatch(job -> job.state() == JobState.SUCCEEDED).hasSize(JOBS_OF_EACH);
    for (int i = 0; i < JOBS_OF_EACH; i++) {
      assertThat(runs.text("data", "a" + i)).isEqualTo("seed\n" + "a\n".repeat(i + 1));
      assertThat(runs.text("data", "b" + i)).isEqualTo("seed\n" + "b\n".repeat(i + 1));
    }
    assertThat(client.list()).hasSize(2 * JOBS_OF_EACH);
    await("workers gone").atMost(DEADLINE).until(() -> client.session().workers() == 0);
    client.submit(job("again", List.of(), List.of(), "true"));
    assertThat(client.await("again", DEADLINE))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
    client.stop(true);
    await("session gone").atMost(DEADLINE).until(() -> sessions.list().isEmpty());
    // YARN counts the session as ended just before its last act.
    org.apache.hadoop.fs.Path staging =
        new org.apache.hadoop.fs.Path(
            runs.files().fs().getHomeDirectory(), ".weir/sessions/" + session);
    await("staging directory gone")
        .atMost(DEADLINE)
        .until(() -> !runs.files().fs().exists(staging));
  }

  @Test
  void whatAJobWithATagTookIsKnownAfterTheSession() throws Exception {
    JobClient client = sessions.client(session, DEADLINE);
    List<String> nap = List.of("/bin/sh", "-c", "sleep 1.2");
    client.submit(new Job("nap-1", "nap", nap, Map.of(), List.of(), List.of(), JobOptions.DEFAULT));
    assertThat(client.await("nap-1", DEADLINE)).isPresent();

    client.stop(true);

    RunDirectories left = RunDirectories.own((DistributedFileSystem) runs.files().fs());
    await("what was learned")
        .atMost(DEADLINE)
        .ignoreExceptionsInstanceOf(FileNotFoundException.class)
        .untilAsserted(
            () ->
                assertThat(left.taskProfiles().of("nap"))
                    .get()
                    .matches(habit -> habit.peakMemoryBytes() > 0 && habit.coreSamples() == 1));
  }

  @Test
  void theJobsOfASessionThatHasEndedAreShownAsARunAndHaveUsedTheCachesOfNodes() throws Exception {
    int bytes = 2 << 20;
    runs.put("data", Map.of("shared", "x".repeat(bytes).getBytes(StandardCharsets.UTF_8)));
    JobClient client = sessions.client(session, DEADLINE);
    for (int i = 0; i < READERS; i++) {
      JobFile shared = new JobFile(runs.path("data", "shared"), "in");
      JobFile copy = new JobFile(runs.path("data", "copy" + i), "out");
      client.submit(job("read-" + i, List.of(shared), List.of(copy), "cp in out"));
      assertThat(client.await("read-" + i, DEADLINE)).isPresent();
    }

    client.stop(true);

    await("session gone").atMost(DEADLINE).until(() -> sessions.list().isEmpty());
    try (Runs known = Runs.on(cluster.configuration())) {
      KnownRun jobs = known.find(session);
      assertThat(jobs.view().summary().workflow()).isEqualTo("jobs of it");
      assertThat(jobs.view().summary().dataDir() + "/copy0").isEqualTo(runs.path("data", "copy0"));
      RunRecord record = jobs.record().orElseThrow();
      assertThat(record.state()).isEqualTo(RunState.SUCCEEDED);
      assertThat(record.tasks()).hasSize(READERS);
      // Each of the three nodes has fetched it once.
      assertThat(record.totals().traffic().inputCached())
          .isGreaterThanOrEqualTo((READERS - 3L) * bytes);
    }
  }

  /** Each job appends a line to what the one before has made; all are submitted at once. */
  private List<JobStatus> chain(String name) {
    try {
      JobClient client = sessions.client(session, DEADLINE);
      List<JobStatus> ends = new ArrayList<>();
      for (int i = 0; i < JOBS_OF_EACH; i++) {
        String before = i == 0 ? "in.txt" : name + (i - 1);
        client.submit(
            job(
                name + "-" + i,
                List.of(new JobFile(runs.path("data", before), "in")),
                List.of(new JobFile(runs.path("data", name + i), "out")),
                "cat in > out && echo " + name + " >> out"));
      }
      for (int i = 0; i < JOBS_OF_EACH; i++) {
        ends.add(client.await(name + "-" + i, DEADLINE).orElseThrow());
      }
      return ends;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aJobAltersItsCopyOfAnInputThatOthersReadAsItIs() throws Exception {
    // Longer than what is never linked to the node's cache.
    byte[] data = "x".repeat(2 << 20).getBytes(StandardCharsets.UTF_8);
    runs.put("data", Map.of("shared", data));
    JobFile shared = new JobFile(runs.path("data", "shared"), "in");
    JobClient client = sessions.client(session, DEADLINE);
    for (int i = 0; i < 4; i++) {
      JobFile grown = new JobFile(runs.path("data", "grown" + i), "out");
      client.submit(
          job("copy-" + i, List.of(shared.asCopy()), List.of(grown), "echo y >> in && cp in out"));
      client.submit(
          job("link-" + i, List.of(shared), List.of(), "test $(wc -c < in) = " + data.length));
    }

    for (int i = 0; i < 4; i++) {
      for (String name : List.of("copy-" + i, "link-" + i)) {
        JobStatus end = client.await(name, DEADLINE).orElseThrow();
        assertThat(end.state()).as(end.result().message()).isEqualTo(JobState.SUCCEEDED);
      }
      assertThat(runs.text("data", "grown" + i)).hasSize(data.length + 2).endsWith("xy\n");
    }
    assertThat(runs.text("data", "shared")).hasSize(data.length).endsWith("x");
  }

  @Test
  void theSessionAfterOneThatWasKilledRemovesWhatThatHasLeft() throws Exception {
    DistributedFileSystem hdfs = (DistributedFileSystem) runs.files().fs();
    JobClient client = sessions.client(session, DEADLINE);
    List<JobFile> outputs = List.of(new JobFile(runs.path("data", "never.txt"), "out"));
    client.submit(job("held", List.of(), outputs, marks.note() + marks.waitFor("never")));
    marks.awaitBegun("held", 1);
    ApplicationId killed = ApplicationId.fromString(session);
    String label = Long.toString(killed.getClusterTimestamp(), 36) + "." + killed.getId() + "-1-1";
    org.apache.hadoop.fs.Path left =
        new org.apache.hadoop.fs.Path(runs.path("data", "never.txt.weir-" + label));
    hdfs.create(left).close();
    org.apache.hadoop.fs.Path directory = SessionStarter.staging(hdfs, killed).directory();

    sessions.kill(session);
    startSession();

    await("what the killed session left is gone")
        .atMost(DEADLINE)
        .until(() -> !hdfs.exists(directory));
    assertThat(hdfs.exists(left)).isFalse();
  }

  @Test
  void aFailedJobSaysWhyAndACancelledOneIsKilled() throws Exception {
    JobClient client = sessions.client(session, DEADLINE);
    client.submit(job("fails", List.of(), List.of(), "echo 'no such thing' >&2; exit 7"));
    client.submit(job("held", List.of(), List.of(), marks.note() + marks.waitFor("never")));

    JobStatus failed = client.await("fails", DEADLINE).orElseThrow();
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.attempts()).isEqualTo(1);
    assertThat(failed.result().exitCode()).isEqualTo(7);
    assertThat(failed.result().stderrTail()).contains("no such thing");
    assertThat(failed.result().node()).isNotEmpty();
    marks.awaitBegun("held", 1);
    long pid = marks.begun("held").get(0).pid();

    assertThat(client.cancel("held").state()).isEqualTo(JobState.CANCELLED);

    await("end of the command").atMost(DEADLINE).until(() -> Processes.hasEnded(pid));
  }
}
