package dev.weir.workflow.process;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {

  @Test
  void failureForOneProcessDoesNotBlockOthers() {
    CompletableFuture<Long> self = CompletableFuture.completedFuture(ProcessHandle.current().pid());
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    try (MemoryWatch watch = MemoryWatch.start();
        MemoryWatch.WatchedCommand broken =
            watch.watch(
                self,
                () -> {
                  failed.incrementAndGet();
                  throw new IllegalStateException("broken");
                });
        MemoryWatch.WatchedCommand other = watch.watch(self, looks::incrementAndGet)) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> failed.get() > 1 && looks.get() > 1 && other.peakBytes() > 0);
      await().until(() -> broken.peakBytes() == 0);
    }
  }
}
