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
  void usersAreServedRoundRobin() {
    FairExecutor fair = new FairExecutor(executor, 1, 100);
    for (int i = 1; i <= 3; i++) {
      add(fair, "alice", i);
    }
    add(fair, "bob", 1);
    executor.runAll();

    assertThat(done).containsExactly("alice 1", "bob 1", "alice 2", "alice 3");
    assertThat(refused).isEmpty();
  }

  @Test
  void aUserLeavesQueueSpaceForOthers() {
    FairExecutor fair = new FairExecutor(executor, 2, 8);
    for (int i = 1; i <= 5; i++) {
      add(fair, "alice", i);
    }
    for (int i = 1; i <= 3; i++) {
      add(fair, "bob", i);
    }
    assertThat(refused).containsExactly("alice 5", "bob 3");
    executor.runAll();
    assertThat(done).hasSize(6);
    add(fair, "alice", 6);
    executor.runAll();
    assertThat(done).contains("alice 6");
  }

  @Test
  void aUserGetsHalfOfTheFreeThreads() throws InterruptedException {
    ExecutorService threads = Executors.newCachedThreadPool();
    CountDownLatch end = new CountDownLatch(1);
    try {
      FairExecutor fair = new FairExecutor(threads, 8, 100);
      CountDownLatch alice = new CountDownLatch(4);
      CountDownLatch bob = new CountDownLatch(2);
      CountDownLatch carol = new CountDownLatch(1);
      hang(fair, "alice", alice, end);
      assertThat(alice.await(20, TimeUnit.SECONDS)).isTrue();
      hang(fair, "bob", bob, end);
      assertThat(bob.await(20, TimeUnit.SECONDS)).isTrue();
      hang(fair, "carol", carol, end);
      assertThat(carol.await(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void tasksWithoutAThreadAreRefused() {
    FairExecutor fair =
        new FairExecutor(
            task -> {
              throw new RejectedExecutionException();
            });
    add(fair, "alice", 1);
    assertThat(refused).containsExactly("alice 1");
    add(fair, "alice", 2);
    assertThat(refused).containsExactly("alice 1", "alice 2");
  }

  @Test
  void waitingTasksAreDroppedAtClose() {
    ManualExecutor threads = new ManualExecutor();
    FairExecutor fair = new FairExecutor(threads, 1, 10);
    fair.execute(
        "alice",
        () -> {
          done.add("alice 1");
          fair.close();
        },
        () -> {});
    add(fair, "alice", 2);
    add(fair, "bob", 1);
    threads.runAll();
    add(fair, "bob", 2);
    threads.runAll();

    assertThat(done).containsExactly("alice 1");
    assertThat(refused).containsExactly("bob 2");
  }

  /** Starts ten tasks that block; ten exceed any user's share. */
  private static void hang(
      FairExecutor fair, String user, CountDownLatch started, CountDownLatch end) {
    for (int i = 0; i < 10; i++) {
      fair.execute(
          user,
          () -> {
            started.countDown();
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          },
          () -> {});
    }
  }

  private void add(FairExecutor fair, String user, int number) {
    String name = user + " " + number;
    fair.execute(user, () -> done.add(name), () -> refused.add(name));
  }
}
