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

/** Jobs in a session on a real cluster, also when its ApplicationMaster or workers end. */
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
  void jobsSurviveTheApplicationMasterAndIdleWorkersEnd() throws Exception {
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
    await("end of the workers").atMost(DEADLINE).until(() -> client.session().workers() == 0);
    client.submit(job("again", List.of(), List.of(), "true"));
    assertThat(client.await("again", DEADLINE))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
    client.stop(true);
    await("end of the session").atMost(DEADLINE).until(() -> sessions.list().isEmpty());
    // YARN reports the session as ended just before it deletes its staging directory.
    org.apache.hadoop.fs.Path staging =
        new org.apache.hadoop.fs.Path(
            runs.files().fs().getHomeDirectory(), ".weir/sessions/" + session);
    await("deletion of the staging directory")
        .atMost(DEADLINE)
        .until(() -> !runs.files().fs().exists(staging));
  }

  @Test
  void profilesOfTaggedJobsArePersisted() throws Exception {
    JobClient client = sessions.client(session, DEADLINE);
    List<String> sleep = List.of("/bin/sh", "-c", "sleep 1.2");
    client.submit(
        new Job("nap-1", "nap", sleep, Map.of(), List.of(), List.of(), JobOptions.DEFAULT));
    assertThat(client.await("nap-1", DEADLINE)).isPresent();

    client.stop(true);

    RunDirectories directories = RunDirectories.own((DistributedFileSystem) runs.files().fs());
    await("task profiles")
        .atMost(DEADLINE)
        .ignoreExceptionsInstanceOf(FileNotFoundException.class)
        .untilAsserted(
            () ->
                assertThat(directories.taskProfiles().of("nap"))
                    .get()
                    .matches(
                        profile -> profile.peakMemoryBytes() > 0 && profile.coreSamples() == 1));
  }

  @Test
  void jobsOfAnEndedSessionAreListedAsARunWithCaching() throws Exception {
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

    await("end of the session").atMost(DEADLINE).until(() -> sessions.list().isEmpty());
    try (Runs known = Runs.on(cluster.configuration())) {
      KnownRun jobs = known.find(session);
      assertThat(jobs.view().summary().workflow()).isEqualTo("jobs of it");
      assertThat(jobs.view().summary().dataDir() + "/copy0").isEqualTo(runs.path("data", "copy0"));
      RunRecord record = jobs.record().orElseThrow();
      assertThat(record.state()).isEqualTo(RunState.SUCCEEDED);
      assertThat(record.tasks()).hasSize(READERS);
      // Each of the three nodes has fetched the file once.
      assertThat(record.totals().traffic().inputCached())
          .isGreaterThanOrEqualTo((READERS - 3L) * bytes);
    }
  }

  /** Submits a chain of jobs, each of which appends a line to the output of the previous one. */
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
  void aJobMayModifyItsCopyOfASharedInput() throws Exception {
    // Large enough to be linked to the node's cache.
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
  void intermediateFilesStayOnNodesUntilTheirWorkersAreReleased() throws Exception {
    JobClient client = sessions.client(session, DEADLINE);
    JobFile kept = new JobFile(runs.path("data", "kept"), "out").asIntermediate();
    client.submit(job("make", List.of(), List.of(kept), "echo made > out"));
    assertThat(client.await("make", DEADLINE)).isPresent();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(kept.path());
    assertThat(runs.files().fs().exists(path)).isFalse();

    client.submit(
        job(
            "read",
            List.of(new JobFile(kept.path(), "in")),
            List.of(new JobFile(runs.path("data", "result"), "out")),
            "cp in out"));

    assertThat(client.await("read", DEADLINE)).isPresent();
    assertThat(runs.text("data", "result")).isEqualTo("made\n");
    await("end of the workers").atMost(DEADLINE).until(() -> client.session().workers() == 0);
    assertThat(runs.text("data", "kept")).isEqualTo("made\n");
    client.submit(
        job("last", List.of(new JobFile(kept.path(), "in")), List.of(), "test $(cat in) = made"));
    assertThat(client.await("last", DEADLINE))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aNewSessionRemovesLeftoversOfAKilledOne() throws Exception {
    DistributedFileSystem hdfs = (DistributedFileSystem) runs.files().fs();
    JobClient client = sessions.client(session, DEADLINE);
    List<JobFile> outputs = List.of(new JobFile(runs.path("data", "never.txt"), "out"));
    client.submit(job("held", List.of(), outputs, marks.recordBegin() + marks.waitFor("never")));
    marks.awaitBegun("held", 1);
    ApplicationId killed = ApplicationId.fromString(session);
    String label = Long.toString(killed.getClusterTimestamp(), 36) + "." + killed.getId() + "-1-1";
    org.apache.hadoop.fs.Path directories =
        new org.apache.hadoop.fs.Path(runs.path("data", "never.txt.weir-" + label));
    hdfs.create(directories).close();
    org.apache.hadoop.fs.Path directory = SessionStarter.staging(hdfs, killed).directory();

    sessions.kill(session);
    startSession();

    await("deletion of the killed session's directory")
        .atMost(DEADLINE)
        .until(() -> !hdfs.exists(directory));
    assertThat(hdfs.exists(directories)).isFalse();
  }

  @Test
  void aFailedJobHasItsReasonAndACancelledOneIsKilled() throws Exception {
    JobClient client = sessions.client(session, DEADLINE);
    client.submit(job("fails", List.of(), List.of(), "echo 'no such thing' >&2; exit 7"));
    client.submit(job("held", List.of(), List.of(), marks.recordBegin() + marks.waitFor("never")));

    JobStatus failed = client.await("fails", DEADLINE).orElseThrow();
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.attempts()).isEqualTo(1);
    assertThat(failed.result().exitCode()).isEqualTo(7);
    assertThat(failed.result().outputTail()).contains("no such thing");
    assertThat(failed.result().node()).isNotEmpty();
    marks.awaitBegun("held", 1);
    long pid = marks.begun("held").get(0).pid();

    assertThat(client.cancel("held").state()).isEqualTo(JobState.CANCELLED);

    await("end of the command").atMost(DEADLINE).until(() -> Processes.hasEnded(pid));
  }
}
