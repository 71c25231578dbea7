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
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.FileSlot.Kind;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.scheduler.Effect;
import dev.weir.workflow.session.CreatedFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pool does with jobs. */
class JobServiceTest extends SessionTestBase {

  @Test
  void aJobIsTakenGivenAndEnds() throws Exception {
    pool.join();
    JobStatus taken = pools.client.submit(job("a"));
    assertThat(taken.id()).isEqualTo("a");
    assertThat(pools.client.status("a").state()).isEqualTo(JobState.RUNNING);
    assertThat(pools.client.status("a").result().node()).isEqualTo("n1");
    CompletableFuture<JobStatus> waiting =
        pools.beside(() -> pools.client.await("a", Duration.ofMinutes(1)).orElseThrow());

    pool.report("a", Result.SUCCEEDED, 0);

    JobStatus end = waiting.get();
    assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
    assertThat(end.result().exitCode()).isZero();
    assertThat(end.traffic()).isEqualTo(new JobStatus.Traffic(5, 6, 3));
    assertThat(end.times().runMillis()).isEqualTo(3);
    assertThat(end.number()).isEqualTo(1);
  }

  @Test
  void aWorkerAsksBeforeItCommitsAJobForItMayHaveBeenGivenToAnother() throws Exception {
    pools.client.submit(job("a"));

    TaskOrder order = pool.orders.order(new Effect.Start("w1", "a", 1, List.of()));

    assertThat(order.asks(TaskOrder.ASK_AFTER_MILLIS)).isTrue();
    assertThat(order.asks(TaskOrder.ASK_AFTER_MILLIS - 1)).isFalse();
  }

  @Test
  void aWorkerIsToldWhichInputsTheCommandMayAlter() throws Exception {
    pools.hdfs.put("/data/x", Map.of("n1", 10L));
    pools.hdfs.put("/data/y", Map.of("n1", 10L));
    JobFile x = new JobFile("/data/x", "x");
    JobFile y = new JobFile("/data/y", "y").asCopy();
    pools.client.submit(job("a", List.of(x, y), List.of()));
    Job linked = job("a", List.of(x, new JobFile("/data/y", "y")), List.of());
    assertRefused(409, "another job 'a'", () -> pools.client.submit(linked));

    pool.close();
    pool = pools.start(2);

    TaskOrder order = pool.orders.order(new Effect.Start("w1", "a", 1, List.of()));
    assertThat(order.inputs())
        .containsExactly(
            new FileSlot("x", "/data/x", 0, Kind.SHARED, 0),
            new FileSlot("y", "/data/y", 0, Kind.SHARED, 0).asCopy());
  }

  @Test
  void aNodeKeepsWhatAJobMakesAndWhatItReadsUnlessTheJobWritesToIt() throws Exception {
    pools.hdfs.put("/data/x", Map.of("n1", 10L));
    pools.hdfs.put("/data/list", Map.of("n1", 10L));
    JobFile grown = new JobFile("/data/longer", "list");
    pools.client.submit(
        job(
            "a",
            List.of(new JobFile("/data/x", "x"), new JobFile("/data/list", "list")),
            List.of(grown)));

    TaskOrder order = pool.orders.order(new Effect.Start("w1", "a", 1, List.of(grown.id())));

    assertThat(order.inputs()).extracting(FileSlot::kind).containsExactly(Kind.SHARED, Kind.WHOLE);
    assertThat(order.outputs()).extracting(FileSlot::kind).containsExactly(Kind.HANDED);
  }

  @Test
  void aNodeDoesNotKeepAnInputThatWorkersHaveFoundSmall() throws Exception {
    pool.join();
    pools.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    pools.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    pool.report("makes", Result.SUCCEEDED, 0, "out");

    await().until(() -> pools.client.status("reads").state() == JobState.RUNNING);
    TaskOrder order = pool.orders.order(new Effect.Start("w1", "reads", 2, List.of()));
    assertThat(order.inputs()).extracting(FileSlot::kind).containsExactly(Kind.WHOLE);
  }

  @Test
  void theSameJobIsTakenOnceAndAnotherOfItsIdNotAtAll() throws Exception {
    pools.client.submit(job("a"));
    assertThat(pools.client.submit(job("a")).id()).isEqualTo("a");

    assertThat(pools.client.list()).hasSize(1);
    Job other = job("a", List.of(), List.of(new JobFile("/o", "o")));
    assertRefused(409, "another job 'a'", () -> pools.client.submit(other));
  }

  @Test
  void manyWhoSubmitTheSameAtOnceGetTheSameJob() throws Exception {
    List<CompletableFuture<JobStatus>> submits =
        IntStream.range(0, 16)
            .mapToObj(i -> pools.beside(() -> pools.client.submit(job("a"))))
            .toList();

    for (CompletableFuture<JobStatus> submit : submits) {
      assertThat(submit.get().id()).isEqualTo("a");
    }
    assertThat(pools.client.list()).hasSize(1);
  }

  @Test
  void anInputHasToBeInHdfsOrToBeMadeByAJob() throws Exception {
    Job reads = job("b", List.of(new JobFile("/data/x", "x")), List.of());
    assertRefused(422, "its input '/data/x' is not in HDFS", () -> pools.client.submit(reads));

    pools.hdfs.put("/data/x", Map.of("n1", 10L));
    assertThat(pools.client.submit(reads).state()).isEqualTo(JobState.QUEUED);
    pools.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    Job waits = job("c", List.of(new JobFile("/data/y", "in")), List.of());
    assertThat(pools.client.submit(waits).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void workersSpeakOfNamesAndTheDispatcherOfPaths() throws Exception {
    pool.join();
    pools.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    pools.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    pool.report("makes", Result.SUCCEEDED, 0, "out");

    await().until(() -> pools.client.status("reads").state() == JobState.RUNNING);
  }

  @Test
  void aFailedJobSaysHowAndTakesWithItWhatNeedsIt() throws Exception {
    pool.join();
    pools.client.submit(job("makes", List.of(), List.of(new JobFile("/data/y", "out"))));
    pools.client.submit(job("reads", List.of(new JobFile("/data/y", "in")), List.of()));

    pool.report("makes", Result.FAILED, 7);

    JobStatus failed = pools.client.await("makes", Duration.ofMinutes(1)).orElseThrow();
    assertThat(failed.state()).isEqualTo(JobState.FAILED);
    assertThat(failed.result())
        .isEqualTo(new JobStatus.Result(7, "n1", "the command exited with 7", "oh no"));
    JobStatus taken = pools.client.await("reads", Duration.ofMinutes(1)).orElseThrow();
    assertThat(taken.state()).isEqualTo(JobState.FAILED);
    assertThat(taken.result().message()).contains("what job 'makes' would have made");
  }

  @Test
  void aJobIsCancelledAndStaysSo() throws Exception {
    pools.client.submit(job("a"));

    assertThat(pools.client.cancel("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(pools.client.cancel("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(pools.client.status("a").result().message()).isEqualTo("cancelled");
    assertRefused(404, "No job 'b'", () -> pools.client.cancel("b"));
    assertRefused(404, "No job 'b c'", () -> pools.client.status("b c"));
  }

  @Test
  void anEngineHearsOfEachEndInTheirOrder() throws Exception {
    pools.client.submit(job("a"));
    pools.client.submit(job("b"));
    assertThat(pools.client.awaitEnds(0, Duration.ZERO).jobs()).isEmpty();
    pools.client.cancel("b");
    pools.client.cancel("a");

    EndedJobs both = pools.client.awaitEnds(0, Duration.ofMinutes(1));
    assertThat(both.jobs()).extracting(JobStatus::id).containsExactly("b", "a");
    assertThat(pools.client.awaitEnds(both.next(), Duration.ZERO).jobs()).isEmpty();
    CompletableFuture<EndedJobs> next =
        pools.beside(() -> pools.client.awaitEnds(both.next(), Duration.ofMinutes(1)));
    pools.client.submit(job("c"));
    pools.client.cancel("c");
    assertThat(next.get().jobs()).extracting(JobStatus::id).containsExactly("c");
  }

  @Test
  void thePoolSaysHowItIsAndEndsWhenItIsTold() throws Exception {
    pools.client.submit(job("a"));
    assertThat(pools.client.session().queued()).isEqualTo(1);
    assertThat(pools.client.session().wantedWorkers()).isEqualTo(1);

    pools.client.stop(true);
    assertRefused(409, "about to end", () -> pools.client.submit(job("b")));
    pool.jobService.endIfIdle();
    assertThat(pools.client.session().queued()).as("asked after that").isEqualTo(1);
    assertThat(pool.controller.outcome()).isNotDone();
    pools.client.cancel("a");
    pool.jobService.endIfIdle();
    assertThat(pool.controller.outcome().get()).isEmpty();
  }

  @Test
  void anApplicationMasterThatWasReplacedLeavesTheEndOfThePoolToTheOther() throws Exception {
    JobClient hasty = JobClients.of(pools.endpoint::get, Duration.ofMillis(1));
    pools.replaced = true;

    assertRefused(503, "Another ApplicationMaster", () -> hasty.stop(false));
    assertRefused(503, "Another ApplicationMaster", () -> hasty.stop(true));

    pool.jobService.endIfIdle();
    assertThat(pools.client.submit(job("a")).state()).isEqualTo(JobState.QUEUED);
    assertThat(pool.controller.outcome()).isNotDone();
    pools.replaced = false;
    pools.client.stop(false);
    assertThat(pool.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }

  /** The other ApplicationMaster, which nobody replaces. */
  private void startTheNext() throws IOException {
    pool.close();
    pools.afterLook = () -> {};
    pools.replaced = false;
    pool = pools.start(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAnApplicationMasterRefusedThatWasReplacedMeanwhileIsNotDoneByALaterOne(boolean whenIdle)
      throws Exception {
    pools.afterLook = () -> pools.replaced = true;

    assertThat(pool.jobService.stop(whenIdle).get().status()).isEqualTo(503);

    startTheNext();
    assertThat(pools.client.submit(job("a")).state()).isEqualTo(JobState.QUEUED);
    assertThat(pool.controller.outcome()).isNotDone();
  }

  @Test
  void whatItHadPromisedSomebodyElseBeforeIsDone() throws Exception {
    pools.client.stop(true);
    pools.afterLook = () -> pools.replaced = true;
    assertThat(pool.jobService.stop(true).get().status()).isEqualTo(503);

    startTheNext();
    assertRefused(409, "about to end", () -> pools.client.submit(job("a")));
  }

  /** Local files of which those that tell the end of a pool are not made before they may be. */
  private static final class SlowMarks extends CreatedFiles {

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
  void whatItHadToPromiseBeforeHdfsAnsweredIsNotTakenBack() throws Exception {
    SlowMarks slow = new SlowMarks();
    java.nio.file.Path directory = Files.createDirectory(temp.resolve("slow"));
    try (TestSessions others = new TestSessions(directory, slow)) {
      others.endPatience = Duration.ofMillis(1);
      try (TestSessions.Pool other = others.start(1)) {
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
  void aPoolEndsNowAlsoWhenThatIsNotTakenDown() throws Exception {
    Files.createDirectory(temp.resolve("stopping-1-1"));

    pools.client.stop(false);

    assertThat(pool.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }

  @Test
  void aPoolWhoseEndIsNotTakenDownGoesOn() throws Exception {
    Files.createDirectory(temp.resolve("ending-1-1"));

    assertThat(pool.jobService.stop(true)).failsWithin(Duration.ofMinutes(1));

    assertThat(pools.client.submit(job("a")).state()).isEqualTo(JobState.QUEUED);
    pools.client.cancel("a");
    pool.jobService.endIfIdle();
    assertThat(pools.client.submit(job("b")).state()).isEqualTo(JobState.QUEUED);
    assertThat(pool.controller.outcome()).isNotDone();
  }

  @Test
  void oldJobsAreStruckOutAndTheirIdsAreFreeAgain() throws Exception {
    for (int i = 0; i < 120; i++) {
      pools.client.submit(job("j" + i));
      pools.client.cancel("j" + i);
    }
    List<String> surplus = pool.jobs.surplus();
    assertThat(surplus).hasSize(20).startsWith("j0", "j1");

    List<String> forgotten = pool.controller.ask(() -> pool.dispatcher.forget(surplus)).get();
    pool.jobs.remove(forgotten);

    assertThat(pools.client.list()).hasSize(100);
    assertRefused(404, "forgotten", () -> pools.client.status("j0"));
    assertThat(pools.client.submit(job("j0")).state()).isEqualTo(JobState.QUEUED);
  }

  @Test
  void aJobThatComesAsThePoolEndsIsRefusedRatherThanLost() throws Exception {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    pools.beforeFind =
        () -> {
          looking.countDown();
          try {
            told.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    pools.hdfs.put("/data/x", Map.of("n1", 10L));
    Job late = job("late", List.of(new JobFile("/data/x", "x")), List.of());
    CompletableFuture<Void> refused =
        CompletableFuture.runAsync(
            () -> assertRefused(409, "about to end", () -> pools.client.submit(late)),
            pools.threads);
    looking.await();

    pools.client.stop(true);
    pool.jobService.endIfIdle();
    told.countDown();

    refused.get();
    assertThat(pool.controller.outcome()).succeedsWithin(Duration.ofMinutes(1));
  }
}
