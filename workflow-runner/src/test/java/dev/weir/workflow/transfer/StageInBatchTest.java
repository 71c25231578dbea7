package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.worker.TaskOrders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which inputs are read in batches. */
class StageInBatchTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int MANY = 600;
  private static final long LARGE = 64 << 20;

  @TempDir private Path temp;
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final Transfers transfers = new Transfers(pool, pool, pool, LARGE);
  private DirectoryStore store;
  private Sandbox sandbox;

  @BeforeEach
  void make() throws IOException {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    sandbox = Sandbox.create(temp.resolve("sandboxes"), "one");
  }

  @AfterEach
  void stop() {
    pool.shutdownNow();
    sandbox.close();
  }

  private TaskOrder order(int files) throws IOException {
    List<FileSlot> inputs = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      String name = "even" + i % 2 + "/" + i;
      store.write("/" + name, "content " + i);
      inputs.add(new FileSlot(name, "/" + name, 0));
    }
    return TaskOrders.shell("task", inputs, List.of(), "true");
  }

  private StageIn.Result stageIn(TaskOrder order) throws Exception {
    return new StageIn(store, transfers).run(order, sandbox);
  }

  private void assertAllStaged(int files) {
    for (int i = 0; i < files; i++) {
      assertThat(sandbox.file("even" + i % 2 + "/" + i)).hasContent("content " + i);
    }
  }

  @Test
  void manyInputsOfOneNodeAreReadInBatches() throws Exception {
    store.batchBy(path -> path.substring(0, path.lastIndexOf('/')), () -> {});

    StageIn.Result result = stageIn(order(MANY));

    assertAllStaged(MANY);
    assertThat(result.read()).hasSize(MANY);
    List<List<String>> batches = store.readBatch();
    assertThat(batches.stream().flatMap(List::stream)).hasSize(MANY).doesNotHaveDuplicates();
    assertThat(batches).hasSize(2 * (int) Math.ceil(MANY / 2.0 / DataStore.MAX_BATCH));
    assertThat(batches)
        .allSatisfy(
            batch ->
                assertThat(batch.stream().map(path -> path.substring(0, 6)).distinct()).hasSize(1));
  }

  @Test
  void fewInputsAreReadOneByOneInParallel() throws Exception {
    store.batchBy(path -> "here", () -> {});

    stageIn(order(20));

    assertAllStaged(20);
    assertThat(store.readBatch()).isEmpty();
  }

  @Test
  void inputsWithoutBatchKeyAreReadAlone() throws Exception {
    store.batchBy(path -> path.startsWith("/even0") ? "here" : "", () -> {});

    stageIn(order(MANY));

    assertAllStaged(MANY);
    assertThat(store.readBatch().stream().flatMap(List::stream)).hasSize(MANY / 2);
  }

  @Test
  void inputsOfAFailedBatchAreReadAlone() throws Exception {
    store.batchBy(
        path -> "here",
        () -> {
          throw new IllegalStateException("not expected");
        });

    stageIn(order(MANY));

    assertAllStaged(MANY);
  }

  @Test
  void batchesOfAStoppedAttemptAreInterrupted() throws Exception {
    CountDownLatch reading = new CountDownLatch(2);
    CountDownLatch stopped = new CountDownLatch(2);
    store.batchBy(
        path -> path.startsWith("/even0") ? "here" : "",
        () -> {
          reading.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            stopped.countDown();
            Thread.currentThread().interrupt();
          }
        });
    TaskOrder order = order(MANY);
    ExecutorService waiting = Executors.newSingleThreadExecutor();
    try {
      var result = waiting.submit(() -> stageIn(order));
      assertThat(reading.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

      waiting.shutdownNow();

      await().until(result::isDone);
      assertThatThrownBy(result::get).hasCauseInstanceOf(InterruptedException.class);
      await().until(() -> stopped.getCount() == 0);
      pool.shutdown();
      await().until(pool::isTerminated);
      assertThat(store.readBatch()).as("no further batch was started").hasSize(2);
    } finally {
      waiting.shutdownNow();
    }
  }
}
