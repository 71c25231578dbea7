package dev.weir.workflow.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class DeadlineTest {

  @Test
  void resultInTimeIsReturned() throws Exception {
    assertThat(Deadline.within(Duration.ofMinutes(1), () -> 7)).contains(7);
  }

  @Test
  void endlessActionIsInterrupted() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);

    assertThat(
            Deadline.within(
                Duration.ofMillis(50),
                () -> {
                  try {
                    return waitForEver();
                  } finally {
                    interrupted.countDown();
                  }
                }))
        .isEmpty();

    interrupted.await();
  }

  private static boolean waitForEver() throws InterruptedException {
    new CountDownLatch(1).await();
    return true;
  }

  @Test
  void failureIsRethrown() {
    assertThatThrownBy(
            () ->
                Deadline.within(
                    Duration.ofMinutes(1),
                    () -> {
                      throw new IOException("no luck");
                    }))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("no luck");
  }
}
