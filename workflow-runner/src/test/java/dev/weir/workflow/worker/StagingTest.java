package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.process.CommandShells;
import dev.weir.workflow.process.ProcessGuard;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.transfer.DirectoryStore;
import dev.weir.workflow.transfer.StageIn;
import dev.weir.workflow.transfer.Transfers;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which transfers wait for others. */
class StagingTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final long BULKY = 100;

  @TempDir private Path temp;
  private final Transfers transfers =
      new Transfers(
          Executors.newSingleThreadExecutor(),
          Executors.newSingleThreadExecutor(),
          Executors.newSingleThreadExecutor(),
          BULKY);
  private final ExecutorService attempts = Executors.newCachedThreadPool();
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private final CountDownLatch reading = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private DirectoryStore store;

  @BeforeEach
  void makeStore() throws Exception {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    Files.createDirectory(temp.resolve("logs"));
    store.write("/data/big", "x".repeat((int) BULKY));
    store.write("/data/slow", "1");
    store.write("/data/small", "1");
  }

  @AfterEach
  void stop() {
    attempts.shutdownNow();
    transfers.small().shutdownNow();
    transfers.bulky().shutdownNow();
    transfers.out().shutdownNow();
    shells.close();
    guard.close();
  }

  private void blockFetchOf(String name) {
    store.beforeFetch(
        target -> {
          if (target.endsWith(name)) {
            reading.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              stopped.countDown();
              throw new InterruptedIOException("told to stop");
            }
          }
        });
  }

  private static TaskOrder order(String task, String output, String... inputs) {
    return TaskOrders.shell(
        task,
        Arrays.stream(inputs).map(name -> new FileSlot(name, "/data/" + name, 1)).toList(),
        List.of(new FileSlot(output, "/data/" + output, 0)),
        "touch " + output);
  }

  @Test
  void largeInputBlocksNeitherSmallInputsNorOutputs() throws Exception {
    blockFetchOf("big");
    ResourceGate gate = new ResourceGate(2, 1L << 30);
    TaskRunner runner =
        new TaskRunner(store, TestTools.places(temp), TestTools.of(transfers, shells));
    TaskOrder small = order("small", "b", "small");
    TaskOrder large = order("large", "a", "big");
    ResourceGate.Ticket first = gate.ticket(small.needs());
    ResourceGate.Ticket second = gate.ticket(large.needs());
    Future<TaskReport> waiting = attempts.submit(() -> runner.run(large, second));
    assertThat(reading.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

    Future<TaskReport> other = attempts.submit(() -> runner.run(small, first));

    await().until(other::isDone);
    assertThat(other.get().result()).as(other.get().message()).isEqualTo(Result.SUCCEEDED);
    assertThat(waiting.isDone()).isFalse();
    go.countDown();
    assertThat(waiting.get().result()).isEqualTo(Result.SUCCEEDED);
  }

  @Test
  void failedInputStopsTheOtherTransfersOfItsTask() throws Exception {
    blockFetchOf("slow");
    try (Sandbox sandbox = Sandbox.create(temp.resolve("sandboxes"), "one")) {
      // Large transfers start last.
      FileSlot outside = new FileSlot("../big", "/data/big", BULKY);
      TaskOrder order =
          TaskOrders.shell(
              "task", List.of(new FileSlot("slow", "/data/slow", 1), outside), List.of(), "true");

      assertThatIllegalArgumentException()
          .isThrownBy(() -> new StageIn(store, transfers).run(order, sandbox));

      // A transfer that has not started never starts.
      transfers.small().shutdown();
      await().until(() -> transfers.small().isTerminated());
      assertThat(reading.getCount()).isEqualTo(stopped.getCount());
    }
  }
}
