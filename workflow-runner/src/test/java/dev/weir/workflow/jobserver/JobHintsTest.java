package dev.weir.workflow.jobserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.hints.HintSet;
import dev.weir.workflow.hints.HintPublisher;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobHintsTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SlowPublisher publisher = new SlowPublisher();
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private volatile boolean left;
  private final JobHints hints =
      new JobHints(
          publisher,
          new JobHints.Owner("session", "me"),
          Clock.systemUTC(),
          new JobHints.Dependencies(threads, notes::add, () -> left));

  /** Accepts a set on request of the test. */
  private static final class SlowPublisher implements HintPublisher {
    final List<HintSet> sets = new CopyOnWriteArrayList<>();
    final List<String> ended = new CopyOnWriteArrayList<>();
    final Semaphore allowed = new Semaphore(0);
    volatile Optional<String> answer = Optional.empty();

    @Override
    public Duration life() {
      return Duration.ofDays(7);
    }

    @Override
    public Optional<String> put(HintSet set) throws InterruptedException {
      sets.add(set);
      allowed.acquire();
      return answer;
    }

    @Override
    public void keep(String id, Instant end) {}

    @Override
    public void remove(String id) {
      ended.add(id);
    }

    @Override
    public void close() {
      ended.add("closed");
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Job job(String id, String hint) {
    return TestSessions.job(id, List.of(), List.of(new JobFile("/out/" + id, "o", 0, hint)));
  }

  private CompletableFuture<Void> include(String id) {
    return hints.include(job(id, "local"));
  }

  @Test
  void hintsAddedDuringAWriteAreWrittenTogether() {
    CompletableFuture<Void> first = include("a");
    await().until(() -> publisher.sets.size() == 1);
    List<CompletableFuture<Void>> others =
        List.of(include("b"), include("c"), include("d"), include("e"));
    assertThat(first).isNotDone();

    publisher.allowed.release();

    assertThat(first).succeedsWithin(Duration.ofMinutes(1));
    await().until(() -> publisher.sets.size() == 2);
    assertThat(others).noneMatch(CompletableFuture::isDone);
    publisher.allowed.release();
    others.forEach(other -> assertThat(other).succeedsWithin(Duration.ofMinutes(1)));
    assertThat(publisher.sets).extracting(set -> set.rules().size()).containsExactly(1, 5);
  }

  @Test
  void jobWaitsOnlyForItsOwnUnwrittenRules() {
    CompletableFuture<Void> first = include("a");

    assertThat(hints.include(job("b", ""))).isDone();
    CompletableFuture<Void> same = include("a");
    assertThat(same).isNotDone();
    publisher.allowed.release();
    assertThat(first).succeedsWithin(Duration.ofMinutes(1));
    assertThat(same).succeedsWithin(Duration.ofMinutes(1));

    assertThat(include("a")).succeedsWithin(Duration.ofMinutes(1));
    assertThat(publisher.sets).hasSize(1);
  }

  @Test
  void silentNameNodeIsNotAwaited() {
    publisher.answer = Optional.of("no service answers");
    CompletableFuture<Void> first = include("a");
    publisher.allowed.release();
    assertThat(first).succeedsWithin(Duration.ofMinutes(1));
    assertThat(notes).containsExactly("no service answers");

    assertThat(include("b")).as("written, but not waited for").isDone();
    publisher.answer = Optional.empty();
    publisher.allowed.release();
    await("waiting again").until(() -> !include("c").isDone());
    CompletableFuture<Void> again = include("c");
    publisher.allowed.release();
    assertThat(again).succeedsWithin(Duration.ofMinutes(1));
    assertThat(notes).hasSize(1);
  }

  @Test
  void replacedMasterLeavesTheHints() {
    CompletableFuture<Void> first = include("a");
    publisher.allowed.release();
    assertThat(first).succeedsWithin(Duration.ofMinutes(1));
    left = true;

    hints.close();

    assertThat(publisher.ended).containsExactly("closed");
  }

  @Test
  void endOfTheSessionRemovesItsHints() {
    CompletableFuture<Void> first = include("a");
    publisher.allowed.release();
    assertThat(first).succeedsWithin(Duration.ofMinutes(1));

    hints.close();

    assertThat(publisher.ended).containsExactly("session", "closed");
    assertThat(include("b")).succeedsWithin(Duration.ofMinutes(1));
    assertThat(publisher.sets).hasSize(1);
  }
}
