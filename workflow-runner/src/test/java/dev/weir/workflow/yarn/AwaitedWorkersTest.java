package dev.weir.workflow.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AwaitedWorkersTest {

  private static final long LONG = TimeUnit.MINUTES.toMillis(10);

  private final AwaitedWorkers awaited = new AwaitedWorkers();

  @BeforeEach
  void open() {
    awaited.canConnect();
  }

  /** Waits for workers in a thread of its own. */
  private static final class Waiter {
    private final FutureTask<Set<String>> waiting;
    private final Thread thread;

    Waiter(AwaitedWorkers workers, long millis) {
      waiting = new FutureTask<>(() -> workers.await(millis));
      thread = new Thread(waiting);
      thread.setDaemon(true);
      thread.start();
    }

    /** Fails unless it waits now. */
    void requireWaiting(Thread.State how) {
      await().until(() -> thread.getState() == how);
    }

    Set<String> missing() throws Exception {
      return waiting.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void timeoutStartsWhenWorkersCanConnect() throws Exception {
    AwaitedWorkers closed = new AwaitedWorkers();
    closed.expect(List.of("w1"));
    Waiter waiter = new Waiter(closed, 1);
    waiter.requireWaiting(Thread.State.WAITING);

    closed.canConnect();

    assertThat(waiter.missing()).containsExactly("w1");
  }

  @Test
  void firstMasterAwaitsNoWorkers() throws Exception {
    assertThat(awaited.await(LONG)).isEmpty();
  }

  @Test
  void awaitsAllWorkersButThoseThatHaveReturned() throws Exception {
    awaited.settled("early");
    awaited.expect(List.of("early", "w1", "w2"));
    Waiter waiter = new Waiter(awaited, LONG);
    waiter.requireWaiting(Thread.State.TIMED_WAITING);

    awaited.settled("w2");
    awaited.settled("another");
    waiter.requireWaiting(Thread.State.TIMED_WAITING);
    awaited.settled("w1");

    assertThat(waiter.missing()).isEmpty();
  }

  @Test
  void awaitsTheReportsOfReturnedWorkers() throws Exception {
    awaited.expect(List.of("w1"));
    awaited.connected("w1", 2);
    awaited.reported("w1");
    awaited.reported("another");

    assertThat(awaited.await(1)).containsExactly("w1");
    awaited.reported("w1");

    assertThat(awaited.await(LONG)).isEmpty();
  }

  @Test
  void endOfTheRunEndsTheWait() throws Exception {
    awaited.expect(List.of("w1"));
    Waiter waiter = new Waiter(awaited, LONG);
    waiter.requireWaiting(Thread.State.TIMED_WAITING);

    awaited.close();

    assertThat(waiter.missing()).as("no worker is to be replaced").isEmpty();
    awaited.expect(List.of("w2"));
    assertThat(awaited.await(LONG)).isEmpty();
  }

  @Test
  void returnsMissingWorkers() throws Exception {
    awaited.expect(List.of("w1", "w2"));
    awaited.settled("w1");

    assertThat(awaited.await(1)).containsExactly("w2");
  }
}
