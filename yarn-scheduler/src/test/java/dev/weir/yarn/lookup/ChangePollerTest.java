package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.ManualExecutor;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChangePollerTest {

  private static final FilesResourceName A = FilesResourceName.parse("weir:/data/a");

  private final FakeLookup files = new FakeLookup().file("/data/a", Map.of("h1", 5L));
  private final LocationCache cache =
      new LocationCache(
          files,
          ManualExecutor.immediate(),
          new ManualClock(),
          new AskMetrics(),
          LocationCache.MAX_WEIGHT);
  private final Source source = new Source();
  private final ChangePoller poller = new ChangePoller(source, cache, 1, 2);
  private final Thread thread = new Thread(poller);

  private interface Answer {
    List<String> get() throws Exception;
  }

  /** Returns the given answers, then no changes. */
  private static final class Source implements ChangeSource {
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final AtomicInteger polls = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public List<String> next() throws Exception {
      polls.incrementAndGet();
      Answer answer = answers.poll();
      return answer == null ? List.of() : answer.get();
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @AfterEach
  void stop() throws Exception {
    poller.close();
    thread.join();
    assertThat(source.closed.get()).isEqualTo(1);
  }

  @Test
  void changedFilesAreLookedUpAgain() {
    cache.locate("alice", A);
    thread.start();
    files.file("/data/a", Map.of("h2", 5L));
    assertThat(cache.locate("alice", A)).isEqualTo(new LocationResult.Found(Map.of("h1", 5L)));
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add("/other/" + i);
    }
    source.answers.add(() -> many);
    source.answers.add(() -> List.of("/data/a"));

    await().until(() -> cache.size() == 0);
    cache.locate("alice", A);
    assertThat(cache.locate("alice", A)).isEqualTo(new LocationResult.Found(Map.of("h2", 5L)));
  }

  @Test
  void doesNotPollWhileTheCacheIsEmpty() throws Exception {
    assertThat(poller.pollIfNeeded()).isEqualTo(1);
    assertThat(source.polls.get()).isZero();

    cache.locate("alice", A);
    assertThat(poller.pollIfNeeded()).isEqualTo(1);
    assertThat(source.polls.get()).isEqualTo(1);
    thread.start();
  }

  @Test
  void endsIfChangesAreNotReported() throws Exception {
    cache.locate("alice", A);
    source.answers.add(
        () -> {
          throw new ChangeSource.NotFollowedException("not told");
        });
    thread.start();
    thread.join();
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void continuesAfterErrors() {
    cache.locate("alice", A);
    source.answers.add(
        () -> {
          throw new IOException("away");
        });
    source.answers.add(
        () -> {
          throw new NoClassDefFoundError("of another version");
        });
    source.answers.add(() -> List.of("/data/a"));
    thread.start();
    await().until(() -> cache.size() == 0);
    assertThat(source.polls.get()).isEqualTo(3);
  }

  @Test
  void pausesAfterAFailure() throws Exception {
    cache.locate("alice", A);
    source.answers.add(
        () -> {
          throw new IOException("away");
        });
    assertThat(poller.pollIfNeeded()).isEqualTo(2);
    assertThat(poller.pollIfNeeded()).isEqualTo(1);
    thread.start();
  }
}
