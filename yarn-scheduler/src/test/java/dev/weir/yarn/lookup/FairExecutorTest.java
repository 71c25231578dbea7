package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FairExecutorTest {
  private final ManualExecutor executor = new ManualExecutor();
  private final List<String> done = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();

  @Test
  void usersTakeTurns() {
    FairExecutor turns = new FairExecutor(executor, 1, 100);
    for (int i = 1; i <= 3; i++) {
      add(turns, "alice", i);
    }
    add(turns, "bob", 1);
    executor.runAll();

    assertThat(done).containsExactly("alice 1", "bob 1", "alice 2", "alice 3");
    assertThat(refused).isEmpty();
  }

  @Test
  void oneUserLeavesRoomForOthers() {
    FairExecutor turns = new FairExecutor(executor, 2, 8);
    for (int i = 1; i <= 5; i++) {
      add(turns, "alice", i);
    }
    for (int i = 1; i <= 3; i++) {
      add(turns, "bob", i);
    }
    assertThat(refused).containsExactly("alice 5", "bob 3");
    executor.runAll();
    assertThat(done).hasSize(6);
    add(turns, "alice", 6);
    executor.runAll();
    assertThat(done).contains("alice 6");
  }

  @Test
  void eachHasHalfOfTheThreadsThatAreLeft() throws InterruptedException {
    ExecutorService threads = Executors.newCachedThreadPool();
    CountDownLatch end = new CountDownLatch(1);
    try {
      FairExecutor turns = new FairExecutor(threads, 8, 100);
      CountDownLatch alice = new CountDownLatch(4);
      CountDownLatch bob = new CountDownLatch(2);
      CountDownLatch carol = new CountDownLatch(1);
      hang(turns, "alice", alice, end);
      assertThat(alice.await(20, TimeUnit.SECONDS)).isTrue();
      hang(turns, "bob", bob, end);
      assertThat(bob.await(20, TimeUnit.SECONDS)).isTrue();
      hang(turns, "carol", carol, end);
      assertThat(carol.await(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void whatNoThreadWillDoIsRefused() {
    FairExecutor turns =
        new FairExecutor(
            task -> {
              throw new RejectedExecutionException();
            });
    add(turns, "alice", 1);
    assertThat(refused).containsExactly("alice 1");
    add(turns, "alice", 2);
    assertThat(refused).containsExactly("alice 1", "alice 2");
  }

  @Test
  void whatWaitsIsDroppedWhenItIsClosed() {
    ManualExecutor threads = new ManualExecutor();
    FairExecutor turns = new FairExecutor(threads, 1, 10);
    turns.execute(
        "alice",
        () -> {
          done.add("alice 1");
          turns.close();
        },
        () -> {});
    add(turns, "alice", 2);
    add(turns, "bob", 1);
    threads.runAll();
    add(turns, "bob", 2);
    threads.runAll();

    assertThat(done).containsExactly("alice 1");
    assertThat(refused).containsExactly("bob 2");
  }

  /** Each task waits in a thread of its own; ten are more than anybody gets. */
  private static void hang(
      FairExecutor turns, String user, CountDownLatch begun, CountDownLatch end) {
    for (int i = 0; i < 10; i++) {
      turns.execute(
          user,
          () -> {
            begun.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          },
          () -> {});
    }
  }

  private void add(FairExecutor turns, String user, int number) {
    String name = user + " " + number;
    turns.execute(user, () -> done.add(name), () -> refused.add(name));
  }
}
