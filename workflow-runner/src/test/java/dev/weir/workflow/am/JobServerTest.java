package dev.weir.workflow.am;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.GrowingDispatcher;
import dev.weir.workflow.dispatch.Limits;
import dev.weir.workflow.dispatch.Policy;
import dev.weir.workflow.dispatch.WorkerInfo;
import dev.weir.workflow.dispatch.WorkerSize;
import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobClients;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.jobs.PoolEndpoint;
import dev.weir.workflow.jobs.Seal;
import dev.weir.workflow.jobs.StatusCodec;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pool without a cluster: client, wire, server, desk, dispatcher and journal are the real ones.
 */
class JobServerTest {

  private static final String KEY = "ab".repeat(32);
  private static final WorkerInfo WORKER = new WorkerInfo("w1", "n1", "/r");

  private final Clock clock = Clock.systemUTC();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Map<String, Long>> hdfs = new ConcurrentHashMap<>();
  private final AtomicReference<PoolEndpoint> endpoint = new AtomicReference<>();
  private final JobClient client = JobClients.of(endpoint::get, Duration.ofSeconds(20));
  @TempDir private Path temp;
  private RawLocalFileSystem fs;
  private Pool pool;

  /** What an ApplicationMaster has, but for YARN and workers. */
  private final class Pool implements AutoCloseable {
    final JobBook book = new JobBook(100);
    final GrowingDispatcher growing =
        new GrowingDispatcher(Policy.DATA_AWARE, Limits.DEFAULT, WorkerSize.ONE_TASK);
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    final Journal journal;
    final RunController controller;
    final JobServer server;
    final PoolDesk desk;

    Pool(int attempt) throws IOException {
      org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(temp.toUri());
      for (DispatchRecord record : Journal.read(fs, directory)) {
        growing.dispatcher().replay(record);
        book.record(record);
      }
      if (attempt > 1) {
        book.replayed();
      }
      journal = new Journal(fs, directory, attempt, 1);
      journal.start();
      controller =
          new RunController(
              growing.dispatcher(),
              new RunController.Outlets(
                  new JobOrders(book, "m" + attempt, clock), journal, book, answer -> {}),
              new NoFiles(),
              clock,
              new RunController.Threads(loop, threads));
      controller.start();
      desk =
          new PoolDesk(
              new PoolDesk.Identity("application_1_1", "test"),
              new PoolDesk.Parts(growing, book, controller),
              new PoolDesk.Outside(this::find, job -> {}, threads),
              clock);
      server = new JobServer(desk, new Gatekeeper(new Seal(KEY), clock));
      server.start();
      endpoint.set(new PoolEndpoint("http://127.0.0.1:" + server.port(), KEY));
    }

    private Map<String, Map<String, Long>> find(Set<String> paths) {
      Map<String, Map<String, Long>> found = new HashMap<>(hdfs);
      found.keySet().retainAll(paths);
      return found;
    }

    void join() {
      book.workerJoined(WORKER, clock.millis());
      controller.tell(() -> growing.dispatcher().workerJoined(WORKER, clock.millis())).join();
    }

    /** As a worker would report it: by the names in the sandbox. */
    void report(String job, Result result, int exitCode, String... outputs) {
      List<StoredFile> stored =
          List.of(outputs).stream().map(name -> new StoredFile(name, 3, Map.of("n1", 3L))).toList();
      controller.reported(
          "w1",
          new TaskReport(
              job,
              1,
              result,
              exitCode,
              exitCode == 0 ? "" : "the command exited with " + exitCode,
              exitCode == 0 ? "" : "oh no",
              List.of(),
              stored,
              new Usage(1, 2, 3, 4, 5, 6, 3, 0)));
    }

    @Override
    public void close() {
      server.close();
      loop.shutdownNow();
      journal.close();
    }
  }

  private static final class NoFiles implements Keeper {
    @Override
    public List<String> lost(List<String> results) {
      return List.of();
    }

    @Override
    public void remove(List<String> paths) {}
  }

  @BeforeEach
  void start() throws IOException {
    fs = new RawLocalFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration(false));
    pool = new Pool(1);
  }

  @AfterEach
  void stop() {
    pool.close();
    threads.shutdownNow();
  }

  private static Job job(String id, List<JobFile> inputs, List<JobFile> outputs) {
    return new Job(id, "", List.of("true", id), Map.of(), inputs, outputs, JobOptions.DEFAULT);
  }

  private static Job job(String id) {
    return job(id, List.of(), List.of());
  }

  private static void assertRefused(int status, String message, Attempt attempt) {
    assertThatThrownBy(attempt::make)
        .isInstanceOfSatisfying(
            JobException.class, refused -> assertThat(refused.status()).isEqualTo(status))
        .hasMessageContaining(message);
  }

  private interface Attempt {
    void make() throws Exception;
  }

  @Test
  void aJobIsTakenGivenAndEnds() throws Exception {
    pool.join();
    JobStatus taken = client.submit(job("a"));
    assertThat(taken.id()).isEqualTo("a");
    assertThat(client.status("a").state()).isEqualTo(JobState.RUNNING);
    assertThat(client.status("a").result().node()).isEqualTo("n1");
    CompletableFuture<JobStatus> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.await("a", Duration.ofMinutes(1)).orElseThrow();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            threads);

    pool.report("a", Result.SUCCEEDED, 0);

    JobStatus end = waiting.get();
    assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(end.result().exitCode()).isZero();
    assertThat(end.traffic()).isEqualTo(new JobStatus.Traffic(5, 6, 3));
    assertThat(end.times().runMillis()).isEqualTo(3);
    assertThat(end.number()).isEqualTo(1);
  }

  @Test
  void theSameJobIsTakenOnceAndAnotherOfItsIdNotAtAll() throws Exception {
    client.submit(job("a"));
    assertThat(client.submit(job("a")).id()).isEqualTo("a");

    assertThat(client.list()).hasSize(1);
    Job other = job("a", List.of(), List.of(new JobFile("/o", "o")));
    assertRefused(409, "another job 'a'", () -> client.submit(other));
  }

  @Test
  void manyWhoSubmitTheSameAtOnceGetTheSameJob() throws Exception {
    List<CompletableFuture<JobStatus>> submits =
        java.util.stream.IntStream.range(0, 16)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return client.submit(job("a"));
                          } catch (IOException | InterruptedException e) {
                            throw new IllegalStateException(e);
                          }
                        },
                        threads))
            .toList();

    for (CompletableFuture<JobStatus> submit : submits) {
      assertThat(submit.get().id()).isEqualTo("a");
    }
    assertThat(client.list()).hasSize(1);
  }

  @Test
  void anInputHasToBeInHdfsOrToBeMadeByAJob() throws Exception {
    Job reads = job("b", List.of(new JobFile("/data/x", "x")), List.of());
    assertRefused(422, "'data/x' is not in HDFS", () -> client.submit(reads));

    hdfs.put("/data/x", Map.of("n1", 10L));
    assertThat(client.submit(reads).state()).isEqualTo(JobState.QUEUED);
    client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    Job waits = job("c", List.of(new JobFile("/data/y", "in")), List.of());
    assertThat(client.submit(waits).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void workersSpeakOfNamesAndTheDispatcherOfPaths() throws Exception {
    pool.join();
    client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    pool.report("makes", Result.SUCCEEDED, 0, "out");

    await().until(() -> client.status("reads").state() == JobState.RUNNING);
  }

  @Test
  void aFailedJobSaysHowAndTakesWithItWhatNeedsIt() throws Exception {
    pool.join();
    client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    pool.report("makes", Result.FAILED, 7);

    JobStatus failed = client.await("makes", Duration.ofMinutes(1)).orElseThrow();
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.result())
        .isEqualTo(new JobStatus.Result(7, "n1", "the command exited with 7", "oh no"));
    JobStatus taken = client.await("reads", Duration.ofMinutes(1)).orElseThrow();
    assertThat(taken.state()).isEqualTo(JobState.FAILED);
    assertThat(taken.result().message()).contains("what job 'makes' would have made");
  }

  @Test
  void aJobIsCancelledAndStaysSo() throws Exception {
    client.submit(job("a"));

    assertThat(client.cancel("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(client.cancel("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(client.status("a").result().message()).isEqualTo("cancelled");
    assertRefused(404, "No job 'b'", () -> client.cancel("b"));
    assertRefused(404, "No job 'b c'", () -> client.status("b c"));
  }

  @Test
  void anEngineHearsOfEachEndInTheirOrder() throws Exception {
    client.submit(job("a"));
    client.submit(job("b"));
    assertThat(client.awaitEnds(0, Duration.ZERO).jobs()).isEmpty();
    client.cancel("b");
    client.cancel("a");

    EndedJobs both = client.awaitEnds(0, Duration.ofMinutes(1));
    assertThat(both.jobs()).extracting(JobStatus::id).containsExactly("b", "a");
    assertThat(client.awaitEnds(both.next(), Duration.ZERO).jobs()).isEmpty();
    CompletableFuture<EndedJobs> next =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.awaitEnds(both.next(), Duration.ofMinutes(1));
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            threads);
    client.submit(job("c"));
    client.cancel("c");
    assertThat(next.get().jobs()).extracting(JobStatus::id).containsExactly("c");
  }

  @Test
  void aRestartedPoolKnowsItsJobsAndTheClientFindsIt() throws Exception {
    pool.join();
    client.submit(job("done"));
    pool.report("done", Result.SUCCEEDED, 0);
    client.await("done", Duration.ofMinutes(1));
    client.submit(job("a", List.of(), List.of(new JobFile("/o", "o"))));
    long seen = client.awaitEnds(0, Duration.ZERO).next();
    PoolEndpoint old = endpoint.get();

    pool.close();
    pool = new Pool(2);
    PoolEndpoint fresh = endpoint.get();
    endpoint.set(old);
    CompletableFuture<JobStatus> asked =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.status("done");
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            threads);
    endpoint.set(fresh);

    assertThat(asked.get().state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(client.status("a").state()).isEqualTo(JobState.QUEUED);
    assertThat(client.submit(job("a", List.of(), List.of(new JobFile("/o", "o")))).id())
        .isEqualTo("a");
    pool.join();
    pool.report("a", Result.SUCCEEDED, 0, "o");
    assertThat(client.awaitEnds(seen, Duration.ofMinutes(1)).jobs())
        .extracting(JobStatus::id)
        .containsExactly("a");
  }

  @Test
  void thePoolSaysHowItIsAndEndsWhenItIsTold() throws Exception {
    client.submit(job("a"));
    assertThat(client.pool().queued()).isEqualTo(1);
    assertThat(client.pool().wantedWorkers()).isEqualTo(1);

    client.stop(true);
    assertRefused(409, "about to end", () -> client.submit(job("b")));
    pool.desk.endIfIdle();
    assertThat(pool.controller.outcome()).isNotDone();
    client.cancel("a");
    pool.desk.endIfIdle();
    assertThat(pool.controller.outcome()).isCompletedWithValue(java.util.Optional.empty());
  }

  @Test
  void nobodyIsLetInWithoutTheKey() throws Exception {
    HttpResponse<String> plain =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(requireNonNull(endpoint.get()).url() + "/v1/jobs"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(plain.statusCode()).isEqualTo(401);
    assertThat(plain.body()).doesNotContain(KEY);

    PoolEndpoint wrong = new PoolEndpoint(endpoint.get().url(), "cd".repeat(32));
    JobClient stranger = JobClients.of(() -> wrong, Duration.ofMillis(1));
    assertThatThrownBy(stranger::list).hasMessageContaining("is not the pool");
  }

  @Test
  void everybodyMayReadWhatCanBeAsked() throws Exception {
    HttpResponse<String> page =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(requireNonNull(endpoint.get()).url() + "/v1/openapi.json"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());

    assertThat(page.statusCode()).isEqualTo(200);
    JsonNode schemas = new ObjectMapper().readTree(page.body()).at("/components/schemas");
    List<String> described = new ArrayList<>();
    schemas.at("/JobStatus/properties").fieldNames().forEachRemaining(described::add);
    client.submit(job("a"));
    client.cancel("a");
    JsonNode answer = new ObjectMapper().readTree(StatusCodec.write(client.status("a")));
    assertThat(answer.fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(described);
  }

  @Test
  void aRequestThatIsTooLargeCostsOnlyItself() throws Exception {
    String text = "x".repeat(2 << 20);
    Job large =
        new Job(
            "large", "", List.of("true", text), Map.of(), List.of(), List.of(), JobOptions.DEFAULT);
    assertRefused(413, "put what makes it large into an input", () -> client.submit(large));
    HttpRequest raw =
        HttpRequest.newBuilder(URI.create(requireNonNull(endpoint.get()).url() + "/v1/jobs"))
            .POST(HttpRequest.BodyPublishers.ofString(text))
            .build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(raw, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(413);
    } catch (IOException e) {
      // The server does not read it to its end.
      assertThat(e).hasNoSuppressedExceptions();
    }

    assertThat(client.list()).isEmpty();
  }

  @Test
  void oldJobsAreStruckOutAndTheirIdsAreFreeAgain() throws Exception {
    for (int i = 0; i < 120; i++) {
      client.submit(job("j" + i));
      client.cancel("j" + i);
    }
    List<String> surplus = pool.book.surplus();
    assertThat(surplus).hasSize(20).startsWith("j0", "j1");

    List<String> forgotten = pool.controller.ask(() -> pool.growing.forget(surplus)).get();
    pool.book.strikeOut(forgotten);

    assertThat(client.list()).hasSize(100);
    assertRefused(404, "forgotten", () -> client.status("j0"));
    assertThat(client.submit(job("j0")).state()).isEqualTo(JobState.QUEUED);
  }
}
