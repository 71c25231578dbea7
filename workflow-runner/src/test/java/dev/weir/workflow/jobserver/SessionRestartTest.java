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
import dev.weir.workflow.session.FailingFiles;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What outlives the ApplicationMaster of a pool. */
class SessionRestartTest extends SessionTestBase {

  @Test
  void aRestartedPoolKnowsItsJobsAndTheClientFindsIt() throws Exception {
    pool.join();
    pools.client.submit(job("done"));
    pool.report("done", Result.SUCCEEDED, 0);
    pools.client.await("done", Duration.ofMinutes(1));
    pools.client.submit(job("a", List.of(), List.of(new JobFile("/o", "o"))));
    long seen = pools.client.awaitEnds(0, Duration.ZERO).next();
    SessionEndpoint old = pools.endpoint.get();

    pool.close();
    pool = pools.start(2);
    SessionEndpoint fresh = pools.endpoint.get();
    pools.endpoint.set(old);
    CompletableFuture<JobStatus> asked = pools.beside(() -> pools.client.status("done"));
    pools.endpoint.set(fresh);

    assertThat(asked.get().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(pools.client.status("a").state()).isEqualTo(JobState.QUEUED);
    assertThat(pools.client.submit(job("a", List.of(), List.of(new JobFile("/o", "o")))).id())
        .isEqualTo("a");
    pool.join();
    pool.report("a", Result.SUCCEEDED, 0, "o");
    assertThat(pools.client.awaitEnds(seen, Duration.ofMinutes(1)).jobs())
        .extracting(JobStatus::id)
        .containsExactly("a");
  }

  @Test
  void aJobIsAcceptedWhenTheJournalHasItHoweverOftenItIsSubmitted() throws Exception {
    pool.close();
    pools.close();
    FailingFiles files = new FailingFiles(Integer.MAX_VALUE);
    files.writes(false);
    pools = new TestSessions(temp, files);
    pool = pools.start(1);
    JobClient hasty = JobClients.of(pools.endpoint::get, Duration.ofMillis(1));
    assertRefused(503, "cannot answer now", () -> hasty.submit(job("a")));
    assertRefused(503, "cannot answer now", () -> hasty.submit(job("a")));

    files.writes(true);
    files.failures().set(0);

    assertThat(hasty.submit(job("a")).id()).isEqualTo("a");
    pool.close();
    pool = pools.start(2);
    assertThat(pools.client.status("a").state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void whatIsRecordedOfAJobThatTheJournalHasLostIsPassedOver() throws Exception {
    pool.join();
    pools.client.submit(job("lost"));
    pool.report("lost", Result.SUCCEEDED, 0);
    pools.client.await("lost", Duration.ofMinutes(1));
    pools.client.submit(job("kept"));
    pool.close();
    Path journal = temp.resolve("journal-0001-000001.jsonl");
    List<String> lines = Files.readAllLines(journal);
    assertThat(lines.get(0)).contains("task-added").contains("lost");
    Files.write(journal, lines.subList(1, lines.size()));

    pool = pools.start(2);

    assertThat(pools.client.list()).extracting(JobStatus::id).containsExactly("kept");
    pool.join();
    pool.report("kept", Result.SUCCEEDED, 0);
    assertThat(pools.client.await("kept", Duration.ofMinutes(1)))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void whoAsksForEndsAfterANumberMissesNoneHoweverOftenThePoolIsRestarted() throws Exception {
    long seen = 0;
    for (int attempt = 1; attempt <= 4; attempt++) {
      if (attempt > 1) {
        pool.close();
        pool = pools.start(attempt);
      }
      pools.client.submit(job("a" + attempt));
      pools.client.submit(job("b" + attempt));
      pools.client.cancel("a" + attempt);
      EndedJobs first = pools.client.awaitEnds(seen, Duration.ofMinutes(1));
      assertThat(first.jobs()).extracting(JobStatus::id).contains("a" + attempt);
      seen = first.next();
      pools.client.cancel("b" + attempt);
      // This client does not ask again before the pool is restarted.
      if (attempt > 1) {
        assertThat(first.jobs()).extracting(JobStatus::id).contains("b" + (attempt - 1));
      }
    }
  }

  @Test
  void anIdThatWasUsedAgainIsThatOfTheLaterJobAfterARestart() throws Exception {
    pools.client.submit(job("a"));
    pools.client.cancel("a");
    pool.jobs.remove(pool.controller.ask(() -> pool.dispatcher.forget(List.of("a"))).get());
    pools.client.submit(job("a"));

    pool.close();
    pool = pools.start(2);

    assertThat(pools.client.list())
        .singleElement()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.QUEUED);
    assertThat(pools.client.awaitEnds(0, Duration.ZERO).jobs()).isEmpty();
    assertThat(pool.jobs.count(JobState.CANCELLED)).isZero();
  }

  @Test
  void aRestartedPoolKeepsInItsJournalWhatItStillKnowsAndNoMore() throws Exception {
    pools.kept = 10;
    for (int i = 0; i < 40; i++) {
      pools.client.submit(job("j" + i));
      pools.client.cancel("j" + i);
    }
    pools.client.submit(job("open", List.of(), List.of(new JobFile("/o", "o"))));
    long seen = pools.client.awaitEnds(0, Duration.ZERO).next();
    pool.close();
    Path first = temp.resolve("journal-0001-000001.jsonl");
    byte[] all = Files.readAllBytes(first);

    pool = pools.start(2);

    List<JobStatus> known = pools.client.list();
    assertThat(known).extracting(JobStatus::id).hasSize(11).contains("j30", "j39", "open");
    assertThat(first).doesNotExist();
    assertThat(Files.readAllLines(temp.resolve("journal-0000-000002-000000.jsonl")))
        .as("coming and going of ten, one that is open, and the end")
        .hasSize(22);
    pools.client.submit(job("later"));
    pools.client.cancel("later");

    pool.close();
    // As if the second one had died before it could remove it.
    Files.write(first, all);
    pool = pools.start(3);

    assertThat(pools.client.list()).startsWith(known.toArray(JobStatus[]::new)).hasSize(12);
    assertThat(pools.client.awaitEnds(seen, Duration.ofMinutes(1)).jobs())
        .extracting(JobStatus::id)
        .containsExactly("later");
    assertThat(first).doesNotExist();
    assertThat(temp.resolve("journal-0000-000002-000000.jsonl")).doesNotExist();
  }

  @Test
  void ofAJournalThatIsWrittenAnewALostFileOfAForgottenJobKeepsNobodyWaiting() throws Exception {
    pools.kept = 1;
    pools.hdfs.put("/o", Map.of("n1", 3L));
    pool.join();
    pools.client.submit(job("maker", List.of(), List.of(new JobFile("/o", "o"))));
    pool.report("maker", Result.SUCCEEDED, 0, "o");
    pools.client.await("maker", Duration.ofMinutes(1));
    pools.client.submit(job("reader", List.of(new JobFile("/o", "o")), List.of()));
    pools.client.submit(job("other"));
    pools.client.cancel("other");
    pools.client.submit(job("another"));
    pools.client.cancel("another");
    pool.close();

    pool = pools.start(2);
    assertThat(pools.client.list()).extracting(JobStatus::id).containsExactly("reader", "another");
    pool.close();
    pool = pools.start(3);

    pool.join();
    pool.report("reader", Result.SUCCEEDED, 0);
    assertThat(pools.client.await("reader", Duration.ofMinutes(1)))
        .get()
        .extracting(JobStatus::state)
        .isEqualTo(JobState.SUCCEEDED);
  }

  @Test
  void aPoolThatIsToEndWhenItIsIdleStillIsAfterARestart() throws Exception {
    pools.client.submit(job("a"));
    pools.client.stop(true);

    pool.close();
    pool = pools.start(2);

    assertRefused(409, "about to end", () -> pools.client.submit(job("b")));
    pools.client.cancel("a");
    pool.jobService.endIfIdle();
    assertThat(pool.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void aPoolThatWasToldToStopEndsUnderTheNextApplicationMaster() throws Exception {
    pools.client.submit(job("a"));
    pools.client.stop(false);

    pool.close();
    pool = pools.start(2);

    assertThat(pool.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
    assertRefused(409, "about to end", () -> pools.client.submit(job("b")));
  }

  @Test
  void whatSomebodyHasOverheardIsRefusedByTheNextApplicationMaster() throws Exception {
    byte[] body = "{\"command\": [\"true\"]}".getBytes(UTF_8);
    String target = "/v1/jobs";
    String header =
        new HmacSigner(requireNonNull(pools.endpoint.get()).key())
            .authorization(
                new HmacSigner.Request(
                    "POST",
                    target,
                    System.currentTimeMillis(),
                    "0123456789abcdef",
                    HmacSigner.hash(body)));
    HttpClient http = HttpClient.newHttpClient();
    assertThat(http.send(request(target, header, body), discarding()).statusCode()).isEqualTo(201);
    assertThat(http.send(request(target, header, body), discarding()).statusCode()).isEqualTo(401);

    pool.close();
    pool = pools.start(2);

    assertThat(http.send(request(target, header, body), discarding()).statusCode()).isEqualTo(401);
    assertThat(pools.client.list()).hasSize(1);
  }

  private HttpRequest request(String target, String header, byte[] body) {
    return HttpRequest.newBuilder(pools.url(target))
        .header(HmacSigner.REQUEST_HEADER, header)
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  @Test
  void whatWasBeingPutTogetherWhenAnApplicationMasterDiedIsRemoved() throws Exception {
    Path unfinished = temp.resolve(".journal-0000-000001-000007.jsonl.tmp");
    pool.close();
    Files.writeString(unfinished, "half a line");

    pool = pools.start(2);

    assertThat(unfinished).doesNotExist();
  }
}
