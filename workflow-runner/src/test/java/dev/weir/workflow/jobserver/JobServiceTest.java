package dev.weir.workflow.jobserver;

import static dev.weir.workflow.jobserver.TestSessions.assertRefused;
import static dev.weir.workflow.jobserver.TestSessions.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobClients;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.scheduler.Starts;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.session.CreateHookFileSystem;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of a session: submission, dispatch, end and cancellation. */
class JobServiceTest extends SessionTestBase {

  @Test
  void jobIsAcceptedDispatchedAndEnds() throws Exception {
    session.join();
    JobStatus taken = sessions.client.submit(job("a"));
    assertThat(taken.id()).isEqualTo("a");
    assertThat(sessions.client.status("a").state()).isEqualTo(JobState.RUNNING);
    assertThat(sessions.client.status("a").result().node()).isEqualTo("n1");
    CompletableFuture<JobStatus> waiting =
        sessions.fromAnotherThread(
            () -> sessions.client.await("a", Duration.ofMinutes(1)).orElseThrow());

    session.report("a", Result.SUCCEEDED, 0);

    JobStatus end = waiting.get();
    assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(end.result().exitCode()).isZero();
    assertThat(end.traffic()).isEqualTo(new JobStatus.Traffic(5, 6, 3));
    assertThat(end.times().runMillis()).isEqualTo(3);
    assertThat(end.number()).isEqualTo(1);
  }

  @Test
  void workerAsksForPermissionToCommitAJob() throws Exception {
    sessions.client.submit(job("a"));

    TaskOrder order = session.orders.order(Starts.of("w1", "a", 1, List.of()));

    assertThat(order.asks(TaskOrder.ASK_AFTER_MILLIS)).isTrue();
    assertThat(order.asks(TaskOrder.ASK_AFTER_MILLIS - 1)).isFalse();
  }

  @Test
  void inputsThatTheCommandMayAlterAreMarked() throws Exception {
    sessions.hdfs.put("/data/x", Map.of("n1", 10L));
    sessions.hdfs.put("/data/y", Map.of("n1", 10L));
    JobFile x = new JobFile("/data/x", "x");
    JobFile y = new JobFile("/data/y", "y").asCopy();
    sessions.client.submit(job("a", List.of(x, y), List.of()));
    Job linked = job("a", List.of(x, new JobFile("/data/y", "y")), List.of());
    assertRefused(409, "Another job has the id 'a'", () -> sessions.client.submit(linked));

    session.close();
    session = sessions.start(2);

    TaskOrder order = session.orders.order(Starts.of("w1", "a", 1, List.of()));
    assertThat(order.inputs())
        .containsExactly(
            new FileSlot("x", "/data/x", 0, Kind.SHARED, 0),
            new FileSlot("y", "/data/y", 0, Kind.SHARED, 0).asCopy());
  }

  @Test
  void inputsAndOutputsAreCachedUnlessAltered() throws Exception {
    sessions.hdfs.put("/data/x", Map.of("n1", 10L));
    sessions.hdfs.put("/data/list", Map.of("n1", 10L));
    JobFile grown = new JobFile("/data/longer", "list");
    sessions.client.submit(
        job(
            "a",
            List.of(new JobFile("/data/x", "x"), new JobFile("/data/list", "list")),
            List.of(grown)));

    TaskOrder order = session.orders.order(Starts.of("w1", "a", 1, List.of(grown.id())));

    assertThat(order.inputs()).extracting(FileSlot::kind).containsExactly(Kind.SHARED, Kind.WHOLE);
    assertThat(order.outputs()).extracting(FileSlot::kind).containsExactly(Kind.HANDED);
  }

  @Test
  void intermediateFilesStayOnTheirNode() throws Exception {
    JobFile made = new JobFile("/data/y", "out").asIntermediate();
    NodeContent content = new NodeContent(3, 5, 70, List.of("n1"));
    sessions.client.submit(job("makes", List.of(), List.of(made)));
    sessions.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    TaskOrder makes = session.orders.order(start("makes", Set.of(made.id()), Map.of()));
    TaskOrder reads = session.orders.order(start("reads", Set.of(), Map.of(made.id(), content)));

    assertThat(makes.outputs()).extracting(FileSlot::kind).containsExactly(Kind.KEPT);
    assertThat(reads.inputs()).extracting(FileSlot::content).containsExactly(content);
    assertThat(session.orders.temporaryPath(made.id())).startsWith("/data/y.weir-");
  }

  private static Effect.Start start(
      String job, Set<String> outputs, Map<String, NodeContent> inputs) {
    return new Effect.Start(
        "w1",
        job,
        1,
        List.copyOf(outputs),
        ResourceNeeds.ONE_CORE,
        false,
        new Effect.Stores(outputs, inputs),
        0);
  }

  @Test
  void outputsThatPatternsFindAreInHdfs() throws Exception {
    session.join();
    JobFile glob = new JobFile("/data/found", "*.txt");
    sessions.client.submit(
        new Job(
            "finds",
            "",
            List.of("true"),
            Map.of(),
            List.of(),
            List.of(),
            List.of(glob),
            JobOptions.DEFAULT));
    TaskOrder order = session.orders.order(Starts.of("w1", "finds", 1, List.of()));
    assertThat(order.outputs())
        .containsExactly(new FileSlot("*.txt", "/data/found", 0, Kind.GLOB, 0));
    assertThat(session.orders.temporaryPaths(new Effect.Discard("finds", 1, List.of())))
        .isNotEmpty()
        .allMatch(path -> path.startsWith("/data/found/.weir-"));

    session.report("finds", Result.SUCCEEDED, 0, "a.txt");
    await().until(() -> sessions.client.status("finds").state() == JobState.SUCCEEDED);

    sessions.hdfs.put("/data/found/a.txt", Map.of("n1", 3L));
    sessions.client.submit(job("reads", List.of(new JobFile("/data/found/a.txt", "a")), List.of()));
    await().until(() -> sessions.client.status("reads").state() == JobState.RUNNING);
  }

  @Test
  void smallInputsAreNotCached() throws Exception {
    session.join();
    sessions.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    sessions.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    session.report("makes", Result.SUCCEEDED, 0, "out");

    await().until(() -> sessions.client.status("reads").state() == JobState.RUNNING);
    TaskOrder order = session.orders.order(Starts.of("w1", "reads", 2, List.of()));
    assertThat(order.inputs()).extracting(FileSlot::kind).containsExactly(Kind.WHOLE);
  }

  @Test
  void resubmittedJobIsAcceptedOnceAndAnotherWithItsIdRefused() throws Exception {
    sessions.client.submit(job("a"));
    assertThat(sessions.client.submit(job("a")).id()).isEqualTo("a");

    assertThat(sessions.client.list()).hasSize(1);
    Job other = job("a", List.of(), List.of(new JobFile("/o", "o")));
    assertRefused(409, "Another job has the id 'a'", () -> sessions.client.submit(other));
  }

  @Test
  void concurrentSubmissionsOfAJobGetTheSameJob() throws Exception {
    List<CompletableFuture<JobStatus>> submits =
        IntStream.range(0, 16)
            .mapToObj(i -> sessions.fromAnotherThread(() -> sessions.client.submit(job("a"))))
            .toList();

    for (CompletableFuture<JobStatus> submit : submits) {
      assertThat(submit.get().id()).isEqualTo("a");
    }
    assertThat(sessions.client.list()).hasSize(1);
  }

  @Test
  void inputMustBeInHdfsOrTheOutputOfAJob() throws Exception {
    Job reads = job("b", List.of(new JobFile("/data/x", "x")), List.of());
    assertRefused(422, "its input '/data/x' is not in HDFS", () -> sessions.client.submit(reads));

    sessions.hdfs.put("/data/x", Map.of("n1", 10L));
    assertThat(sessions.client.submit(reads).state()).isEqualTo(JobState.QUEUED);
    sessions.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    Job waits = job("c", List.of(new JobFile("/data/y", "in")), List.of());
    assertThat(sessions.client.submit(waits).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void workersUseNamesAndTheDispatcherPaths() throws Exception {
    session.join();
    sessions.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    sessions.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    session.report("makes", Result.SUCCEEDED, 0, "out");

    await().until(() -> sessions.client.status("reads").state() == JobState.RUNNING);
  }

  @Test
  void failedJobReportsTheReasonAndDropsDependents() throws Exception {
    session.join();
    sessions.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    sessions.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    session.report("makes", Result.FAILED, 7);

    JobStatus failed = sessions.client.await("makes", Duration.ofMinutes(1)).orElseThrow();
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.result())
        .isEqualTo(new JobStatus.Result(7, "n1", "the command exited with 7", "oh no"));
    JobStatus taken = sessions.client.await("reads", Duration.ofMinutes(1)).orElseThrow();
    assertThat(taken.state()).isEqualTo(JobState.FAILED);
    assertThat(taken.result().message()).contains("what job 'makes' would have made");
  }

  @Test
  void cancelledJobStaysCancelled() throws Exception {
    sessions.client.submit(job("a"));

    assertThat(sessions.client.cancel("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(sessions.client.cancel("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(sessions.client.status("a").result().message()).isEqualTo("cancelled");
    assertRefused(404, "No job 'b'", () -> sessions.client.cancel("b"));
    assertRefused(404, "No job 'b c'", () -> sessions.client.status("b c"));
  }

  @Test
  void endsAreListedInOrder() throws Exception {
    sessions.client.submit(job("a"));
    sessions.client.submit(job("b"));
    assertThat(sessions.client.awaitEnds(0, Duration.ZERO).jobs()).isEmpty();
    sessions.client.cancel("b");
    sessions.client.cancel("a");

    EndedJobs both = sessions.client.awaitEnds(0, Duration.ofMinutes(1));
    assertThat(both.jobs()).extracting(JobStatus::id).containsExactly("b", "a");
    assertThat(sessions.client.awaitEnds(both.next(), Duration.ZERO).jobs()).isEmpty();
    CompletableFuture<EndedJobs> next =
        sessions.fromAnotherThread(
            () -> sessions.client.awaitEnds(both.next(), Duration.ofMinutes(1)));
    sessions.client.submit(job("c"));
    sessions.client.cancel("c");
    assertThat(next.get().jobs()).extracting(JobStatus::id).containsExactly("c");
  }

  @Test
  void sessionReportsItsStatusAndEndsOnRequest() throws Exception {
    sessions.client.submit(job("a"));
    assertThat(sessions.client.session().queued()).isEqualTo(1);
    assertThat(sessions.client.session().wantedWorkers()).isEqualTo(1);

    sessions.client.stop(true);
    assertRefused(409, "about to end", () -> sessions.client.submit(job("b")));
    session.jobService.endIfIdle();
    assertThat(sessions.client.session().queued()).as("one job is still queued").isEqualTo(1);
    assertThat(session.controller.outcome()).isNotDone();
    sessions.client.cancel("a");
    session.jobService.endIfIdle();
    assertThat(session.controller.outcome().get()).isEmpty();
  }

  @Test
  void replacedMasterLeavesTheEndOfTheSession() throws Exception {
    JobClient hasty = JobClients.of(sessions.endpoint::get, Duration.ofMillis(1));
    sessions.replaced = true;

    assertRefused(503, "Another ApplicationMaster", () -> hasty.stop(false));
    assertRefused(503, "Another ApplicationMaster", () -> hasty.stop(true));

    session.jobService.endIfIdle();
    assertThat(sessions.client.submit(job("a")).state()).isEqualTo(JobState.QUEUED);
    assertThat(session.controller.outcome()).isNotDone();
    sessions.replaced = false;
    sessions.client.stop(false);
    assertThat(session.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }

  /** The next ApplicationMaster, which is not replaced. */
  private void startNextMaster() throws IOException {
    session.close();
    sessions.afterFencingCheck = () -> {};
    sessions.replaced = false;
    session = sessions.start(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stopRefusedByAReplacedMasterIsNotCarriedOutLater(boolean whenIdle) throws Exception {
    sessions.afterFencingCheck = () -> sessions.replaced = true;

    assertThat(session.jobService.stop(whenIdle).get().status()).isEqualTo(503);

    startNextMaster();
    assertThat(sessions.client.submit(job("a")).state()).isEqualTo(JobState.QUEUED);
    assertThat(session.controller.outcome()).isNotDone();
  }

  @Test
  void earlierAcceptedStopIsCarriedOut() throws Exception {
    sessions.client.stop(true);
    sessions.afterFencingCheck = () -> sessions.replaced = true;
    assertThat(session.jobService.stop(true).get().status()).isEqualTo(503);

    startNextMaster();
    assertRefused(409, "about to end", () -> sessions.client.submit(job("a")));
  }

  /** Local files that delay the creation of the marks for the end of a session. */
  private static final class SlowMarkFiles extends CreateHookFileSystem {

    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public FSDataOutputStream created(Path file, Creation plain) throws IOException {
      if (file.getName().startsWith("stopping-")) {
        try {
          go.await();
        } catch (InterruptedException e) {
          throw new InterruptedIOException(e.getMessage());
        }
      }
      return plain.create();
    }
  }

  @Test
  void stopAcceptedBeforeHdfsAnswersIsNotRevoked() throws Exception {
    SlowMarkFiles slow = new SlowMarkFiles();
    java.nio.file.Path directory = Files.createDirectory(temp.resolve("slow"));
    try (TestSessions others = new TestSessions(directory, slow)) {
      others.endTimeout = Duration.ofMillis(1);
      try (TestSessions.Session other = others.start(1)) {
        assertThat(other.jobService.stop(false).get().status()).isEqualTo(200);

        others.replaced = true;
        slow.go.countDown();

        others.threads.shutdown();
        assertThat(others.threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(directory.resolve("stopping-1-1")).exists();
      }
    }
  }

  @Test
  void immediateStopWorksWithoutItsMark() throws Exception {
    Files.createDirectory(temp.resolve("stopping-1-1"));

    sessions.client.stop(false);

    assertThat(session.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void sessionContinuesIfItsStopCannotBeRecorded() throws Exception {
    Files.createDirectory(temp.resolve("ending-1-1"));

    assertThat(session.jobService.stop(true)).failsWithin(Duration.ofMinutes(1));

    assertThat(sessions.client.submit(job("a")).state()).isEqualTo(JobState.QUEUED);
    sessions.client.cancel("a");
    session.jobService.endIfIdle();
    assertThat(sessions.client.submit(job("b")).state()).isEqualTo(JobState.QUEUED);
    assertThat(session.controller.outcome()).isNotDone();
  }

  @Test
  void oldJobsAreForgottenAndTheirIdsReusable() throws Exception {
    for (int i = 0; i < 120; i++) {
      sessions.client.submit(job("j" + i));
      sessions.client.cancel("j" + i);
    }
    List<String> surplus = session.jobs.surplus();
    assertThat(surplus).hasSize(20).startsWith("j0", "j1");

    List<String> forgotten = session.controller.ask(() -> session.dispatcher.forget(surplus)).get();
    session.jobs.remove(forgotten);

    assertThat(sessions.client.list()).hasSize(100);
    assertRefused(404, "forgotten", () -> sessions.client.status("j0"));
    assertThat(sessions.client.submit(job("j0")).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void jobSubmittedDuringTheEndIsRefused() throws Exception {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    sessions.beforeFind =
        () -> {
          looking.countDown();
          try {
            told.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    sessions.hdfs.put("/data/x", Map.of("n1", 10L));
    Job late = job("late", List.of(new JobFile("/data/x", "x")), List.of());
    CompletableFuture<Void> refused =
        CompletableFuture.runAsync(
            () -> assertRefused(409, "about to end", () -> sessions.client.submit(late)),
            sessions.threads);
    looking.await();

    sessions.client.stop(true);
    session.jobService.endIfIdle();
    told.countDown();

    refused.get();
    assertThat(session.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }
}
