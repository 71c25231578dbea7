package dev.weir.workflow.jobserver;

import static dev.weir.workflow.jobserver.TestSessions.assertRefused;
import static dev.weir.workflow.jobserver.TestSessions.job;
import static java.net.http.HttpResponse.BodyHandlers.discarding;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobClients;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.session.FailingFlushFileSystem;
import dev.weir.workflow.text.Sha256;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What survives a restart of a session's ApplicationMaster. */
class SessionRestartTest extends SessionTestBase {

  @Test
  void restartedSessionKnowsItsJobsAndIsFoundByTheClient() throws Exception {
    session.join();
    sessions.client.submit(job("done"));
    session.report("done", Result.SUCCEEDED, 0);
    sessions.client.await("done", Duration.ofMinutes(1));
    sessions.client.submit(job("a", List.of(), List.of(new JobFile("/o", "o"))));
    long seen = sessions.client.awaitEnds(0, Duration.ZERO).next();
    SessionEndpoint old = sessions.endpoint.get();

    session.close();
    session = sessions.start(2);
    SessionEndpoint fresh = sessions.endpoint.get();
    sessions.endpoint.set(old);
    CompletableFuture<JobStatus> asked =
        sessions.fromAnotherThread(() -> sessions.client.status("done"));
    sessions.endpoint.set(fresh);

    assertThat(asked.get().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(sessions.client.status("a").state()).isEqualTo(JobState.QUEUED);
    assertThat(sessions.client.submit(job("a", List.of(), List.of(new JobFile("/o", "o")))).id())
        .isEqualTo("a");
    session.join();
    session.report("a", Result.SUCCEEDED, 0, "o");
    assertThat(sessions.client.awaitEnds(seen, Duration.ofMinutes(1)).jobs())
        .extracting(JobStatus::id)
        .containsExactly("a");
  }

  @Test
  void jobInTheJournalIsAcceptedAgain() throws Exception {
    session.close();
    sessions.close();
    FailingFlushFileSystem files = new FailingFlushFileSystem(Integer.MAX_VALUE);
    files.writes(false);
    sessions = new TestSessions(temp, files);
    session = sessions.start(1);
    JobClient hasty = JobClients.of(sessions.endpoint::get, Duration.ofMillis(1));
    assertRefused(503, "cannot answer now", () -> hasty.submit(job("a")));
    assertRefused(503, "cannot answer now", () -> hasty.submit(job("a")));

    files.writes(true);
    files.failures().set(0);

    assertThat(hasty.submit(job("a")).id()).isEqualTo("a");
    session.close();
    session = sessions.start(2);
    assertThat(sessions.client.status("a").state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void recordsOfAJobMissingFromTheJournalAreSkipped() throws Exception {
    session.join();
    sessions.client.submit(job("lost"));
    session.report("lost", Result.SUCCEEDED, 0);
    sessions.client.await("lost", Duration.ofMinutes(1));
    sessions.client.submit(job("kept"));
    session.close();
    Path journal = temp.resolve("journal-0001-000001.jsonl");
    List<String> lines = Files.readAllLines(journal);
    assertThat(lines.get(0)).contains("task-added").contains("lost");
    Files.write(journal, lines.subList(1, lines.size()));

    session = sessions.start(2);

    assertThat(sessions.client.list()).extracting(JobStatus::id).containsExactly("kept");
    session.join();
    session.report("kept", Result.SUCCEEDED, 0);
    assertThat(sessions.client.await("kept", Duration.ofMinutes(1)))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void listOfEndsIsCompleteAcrossRestarts() throws Exception {
    long seen = 0;
    for (int attempt = 1; attempt <= 4; attempt++) {
      if (attempt > 1) {
        session.close();
        session = sessions.start(attempt);
      }
      sessions.client.submit(job("a" + attempt));
      sessions.client.submit(job("b" + attempt));
      sessions.client.cancel("a" + attempt);
      EndedJobs first = sessions.client.awaitEnds(seen, Duration.ofMinutes(1));
      assertThat(first.jobs()).extracting(JobStatus::id).contains("a" + attempt);
      seen = first.next();
      sessions.client.cancel("b" + attempt);
      // This client sends no further request before the restart.
      if (attempt > 1) {
        assertThat(first.jobs()).extracting(JobStatus::id).contains("b" + (attempt - 1));
      }
    }
  }

  @Test
  void reusedIdNamesTheLaterJobAfterARestart() throws Exception {
    sessions.client.submit(job("a"));
    sessions.client.cancel("a");
    session.jobs.remove(
        session.controller.ask(() -> session.dispatcher.forget(List.of("a"))).get());
    sessions.client.submit(job("a"));

    session.close();
    session = sessions.start(2);

    assertThat(sessions.client.list())
        .singleElement()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.QUEUED);
    assertThat(sessions.client.awaitEnds(0, Duration.ZERO).jobs()).isEmpty();
    assertThat(session.jobs.count(JobState.CANCELLED)).isZero();
  }

  @Test
  void restartCompactsTheJournal() throws Exception {
    sessions.kept = 10;
    for (int i = 0; i < 40; i++) {
      sessions.client.submit(job("j" + i));
      sessions.client.cancel("j" + i);
    }
    sessions.client.submit(job("open", List.of(), List.of(new JobFile("/o", "o"))));
    long seen = sessions.client.awaitEnds(0, Duration.ZERO).next();
    session.close();
    Path first = temp.resolve("journal-0001-000001.jsonl");
    byte[] all = Files.readAllBytes(first);

    session = sessions.start(2);

    List<JobStatus> known = sessions.client.list();
    assertThat(known).extracting(JobStatus::id).hasSize(11).contains("j30", "j39", "open");
    assertThat(first).doesNotExist();
    assertThat(TestSessions.compactedLines(temp.resolve("journal-0000-000002-000000.jsonl.gz")))
        .as("ten jobs that came and went, one open job, and the end")
        .hasSize(22);
    sessions.client.submit(job("later"));
    sessions.client.cancel("later");

    session.close();
    // As if the second master had died before it could remove the file.
    Files.write(first, all);
    session = sessions.start(3);

    assertThat(sessions.client.list()).startsWith(known.toArray(JobStatus[]::new)).hasSize(12);
    assertThat(sessions.client.awaitEnds(seen, Duration.ofMinutes(1)).jobs())
        .extracting(JobStatus::id)
        .containsExactly("later");
    assertThat(first).doesNotExist();
    assertThat(temp.resolve("journal-0000-000002-000000.jsonl.gz")).doesNotExist();
  }

  @Test
  void fileOfAForgottenJobDoesNotBlockItsReaderAfterACompaction() throws Exception {
    sessions.kept = 1;
    sessions.hdfs.put("/o", Map.of("n1", 3L));
    session.join();
    sessions.client.submit(job("maker", List.of(), List.of(new JobFile("/o", "o"))));
    session.report("maker", Result.SUCCEEDED, 0, "o");
    sessions.client.await("maker", Duration.ofMinutes(1));
    sessions.client.submit(job("reader", List.of(new JobFile("/o", "o")), List.of()));
    sessions.client.submit(job("other"));
    sessions.client.cancel("other");
    sessions.client.submit(job("another"));
    sessions.client.cancel("another");
    session.close();

    session = sessions.start(2);
    assertThat(sessions.client.list())
        .extracting(JobStatus::id)
        .containsExactly("reader", "another");
    session.close();
    session = sessions.start(3);

    session.join();
    session.report("reader", Result.SUCCEEDED, 0);
    assertThat(sessions.client.await("reader", Duration.ofMinutes(1)))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void stopWhenIdleSurvivesARestart() throws Exception {
    sessions.client.submit(job("a"));
    sessions.client.stop(true);

    session.close();
    session = sessions.start(2);

    assertRefused(409, "about to end", () -> sessions.client.submit(job("b")));
    sessions.client.cancel("a");
    session.jobService.endIfIdle();
    assertThat(session.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void stopSurvivesARestart() throws Exception {
    sessions.client.submit(job("a"));
    sessions.client.stop(false);

    session.close();
    session = sessions.start(2);

    assertThat(session.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
    assertRefused(409, "about to end", () -> sessions.client.submit(job("b")));
  }

  @Test
  void replayedRequestIsRefusedByTheNextMaster() throws Exception {
    byte[] body = "{\"command\": [\"true\"]}".getBytes(UTF_8);
    String target = "/v1/jobs";
    String header =
        new HmacSigner(requireNonNull(sessions.endpoint.get()).key())
            .authorization(
                new HmacSigner.Request(
                    "POST",
                    target,
                    System.currentTimeMillis(),
                    "0123456789abcdef",
                    Sha256.hex(body)));
    HttpClient http = HttpClient.newHttpClient();
    assertThat(http.send(request(target, header, body), discarding()).statusCode()).isEqualTo(201);
    assertThat(http.send(request(target, header, body), discarding()).statusCode()).isEqualTo(401);

    session.close();
    session = sessions.start(2);

    assertThat(http.send(request(target, header, body), discarding()).statusCode()).isEqualTo(401);
    assertThat(sessions.client.list()).hasSize(1);
  }

  private HttpRequest request(String target, String header, byte[] body) {
    return HttpRequest.newBuilder(sessions.url(target))
        .header(HmacSigner.REQUEST_HEADER, header)
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  @Test
  void incompleteCompactionIsRemovedAfterARestart() throws Exception {
    Path unfinished = temp.resolve(".journal-0000-000001-000007.jsonl.gz.tmp");
    session.close();
    Files.writeString(unfinished, "half a line");

    session = sessions.start(2);

    assertThat(unfinished).doesNotExist();
  }
}
