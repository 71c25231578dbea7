package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancelled transfers that still run. */
class TransferGroupTest {

  private final ExecutorService pool = Executors.newFixedThreadPool(1);
  private final TransferGroup group = new TransferGroup(pool);
  private final Queue<String> events = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stopPool() {
    pool.shutdownNow();
  }

  @Test
  void nothingRunsAfterClose() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    Future<Boolean> first =
        group.begin(
            () -> {
              runs.countDown();
              try {
                return new CountDownLatch(1).await(1, TimeUnit.HOURS);
              } finally {
                events.add("the first has ended");
              }
            });
    Future<Boolean> waits = group.begin(() -> events.add("the second has begun"));
    runs.await();

    group.end();
    events.add("it is over");

    pool.submit(() -> events.add("the pool goes on")).get();
    assertThat(first.isCancelled()).isTrue();
    assertThat(waits.isCancelled()).isTrue();
    assertThat(events)
        .containsExactlyElementsOf(
            List.of("the first has ended", "it is over", "the pool goes on"));
  }

  @Test
  void endedTransfersAreNotInterrupted() throws Exception {
    Future<Integer> transfer = group.begin(() -> 7);
    assertThat(transfer.get()).isEqualTo(7);

    group.end();

    assertThat(transfer.get()).isEqualTo(7);
  }
}
