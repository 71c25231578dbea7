package dev.weir.yarn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class CachedValueTest {

  private final CachedValue<String> cache = new CachedValue<>(100);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void computesOncePerValidity() {
    AtomicInteger computations = new AtomicInteger();
    for (long now = 0; now < 300; now++) {
      long at = now;
      assertThat(cache.get(now, then -> "look " + computations.incrementAndGet() + " at " + then))
          .isEqualTo("look %d at %d".formatted(1 + at / 100, at / 100 * 100));
    }
  }

  @Test
  void othersGetTheOldValueDuringAComputation() throws Exception {
    cache.get(0, now -> "old");
    CountDownLatch computing = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Future<String> slow =
        threads.submit(
            () ->
                cache.get(
                    100,
                    now -> {
                      computing.countDown();
                      uninterrupted(answer);
                      return "new";
                    }));
    computing.await();

    assertThat(cache.get(100, now -> "twice")).isEqualTo("old");
    answer.countDown();
    assertThat(slow.get()).isEqualTo("new");
    assertThat(cache.get(100, now -> "twice")).isEqualTo("new");
  }

  @Test
  void theFirstComputationServesAll() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger computations = new AtomicInteger();
    List<Thread> waiting = new CopyOnWriteArrayList<>();
    List<Future<String>> answers =
        List.of(1, 2, 3).stream()
            .map(
                i ->
                    threads.submit(
                        () -> {
                          waiting.add(Thread.currentThread());
                          return cache.get(
                              0,
                              now -> {
                                uninterrupted(answer);
                                return "look " + computations.incrementAndGet();
                              });
                        }))
            .toList();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                waiting.stream().filter(thread -> thread.getState() == Thread.State.BLOCKED).count()
                    == 2);
    answer.countDown();

    for (Future<String> each : answers) {
      assertThat(each.get()).isEqualTo("look 1");
    }
  }

  @Test
  void aFailedComputationChangesNothing() {
    assertThatThrownBy(() -> cache.get(0, now -> fail())).hasMessage("broken");
    assertThat(cache.get(0, now -> "first")).isEqualTo("first");
    assertThatThrownBy(() -> cache.get(100, now -> fail())).hasMessage("broken");
    assertThat(cache.get(100, now -> "second")).isEqualTo("second");
  }

  private static String fail() {
    throw new IllegalStateException("broken");
  }

  private static void uninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
