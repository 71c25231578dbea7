package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.transfer.TransferScheduler;
import java.io.FileNotFoundException;
import java.io.InterruptedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatedTransfersTest {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final AtomicLong now = new AtomicLong();
  private final CoordinatedTransfers transfers = new CoordinatedTransfers("here", 100, 5, now::get);

  @BeforeEach
  void connect() {
    transfers.ask(sent::add);
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void onlyLargeFilesNeedGrants() {
    assertThat(transfers.appliesTo(99, false)).isFalse();
    assertThat(transfers.appliesTo(99, true)).isFalse();
    assertThat(transfers.appliesTo(100, false)).isTrue();
    assertThat(transfers.appliesTo(100, true)).isTrue();
  }

  @Test
  void sharedFilesNeedGrantsEarlier() {
    long shared = FetchModel.CHAINED_BYTES;
    CoordinatedTransfers usual = new CoordinatedTransfers("here", 256 << 20, 5, now::get);

    assertThat(usual.appliesTo(shared - 1, true)).isFalse();
    assertThat(usual.appliesTo(shared, true)).isTrue();
    assertThat(usual.appliesTo(shared, false)).isFalse();
    assertThat(
            new CoordinatedTransfers("here", Long.MAX_VALUE, 5, now::get).appliesTo(shared, true))
        .as("without slots")
        .isFalse();
  }

  @Test
  void sharedFilesWaitForNoSlotUnlessTheyAreLarge() {
    transfers.share(
        new CacheClient(
            () -> CacheSecurity.plain(Secret.generate(new SecureRandom())), System::nanoTime));
    for (int bytes : List.of(99, 100)) {
      Future<TransferScheduler.Grant> unused =
          threads.submit(
              () ->
                  transfers.acquire(new TransferScheduler.Request(bytes, "c"), () -> List.of("a")));
      await()
          .until(
              () ->
                  sent.stream()
                      .anyMatch(
                          message ->
                              message instanceof Message.TransferWish wish
                                  && wish.waits() == (bytes == 100)));
    }
  }

  @Test
  void localFilesAreReadAtOnce() throws Exception {
    try (TransferScheduler.Grant grant =
        transfers.acquire(
            new TransferScheduler.Request(100, "c"), () -> List.of("there", "here"))) {
      assertThat(grant.from()).isEqualTo("here");
    }
    assertThat(sent).isEmpty();
  }

  @Test
  void filesWithoutAWholeReplicaAreReadAtOnce() throws Exception {
    try (TransferScheduler.Grant grant =
        transfers.acquire(new TransferScheduler.Request(100, "c"), List::of)) {
      assertThat(grant.from()).isEmpty();
    }
    assertThat(sent).isEmpty();
  }

  @Test
  void waitEndsWhenTheBlocksAreMovedApart() throws Exception {
    AtomicInteger questions = new AtomicInteger();
    try (TransferScheduler.Grant grant =
        transfers.acquire(
            new TransferScheduler.Request(100, "c"),
            () -> questions.getAndIncrement() == 0 ? List.of("a") : List.of())) {
      assertThat(grant.from()).isEmpty();
    }
    assertThat(sent).endsWith(new Message.TransferOver(1));
  }

  @Test
  void waitsForItsGrantAndReportsItsEnd() throws Exception {
    Future<TransferScheduler.Grant> waiting =
        threads.submit(
            () ->
                transfers.acquire(
                    new TransferScheduler.Request(100, "c"), () -> List.of("a", "b")));
    await().until(() -> sent.contains(new Message.TransferWish(1, "", List.of("a", "b"), true)));

    transfers.come(new Message.TransferTurn(1, "b"));

    try (TransferScheduler.Grant grant = waiting.get(60, TimeUnit.SECONDS)) {
      assertThat(grant.from()).isEqualTo("b");
      assertThat(sent).doesNotContain(new Message.TransferOver(1));
    }
    assertThat(sent).endsWith(new Message.TransferOver(1));
  }

  @Test
  void reportsNewReplicasWhileItWaits() throws Exception {
    AtomicInteger questions = new AtomicInteger();
    List<List<String>> answers =
        List.of(List.of("a"), List.of("a"), List.of("a", "b"), List.of("a", "b", "here"));

    try (TransferScheduler.Grant grant =
        transfers.acquire(
            new TransferScheduler.Request(100, "c"),
            () -> answers.get(Math.min(questions.getAndIncrement(), 3)))) {
      assertThat(grant.from()).isEqualTo("here");
    }

    assertThat(sent)
        .contains(new Message.TransferWish(1, "", List.of("a", "b"), true))
        .endsWith(new Message.TransferOver(1));
  }

  @Test
  void readsWithoutAGrantAfterALongWait() throws Exception {
    Future<TransferScheduler.Grant> waiting =
        threads.submit(
            () -> transfers.acquire(new TransferScheduler.Request(100, "c"), () -> List.of("a")));
    await().until(() -> !sent.isEmpty());
    now.set(Duration.ofMinutes(1).toNanos());

    assertThat(waiting.get(60, TimeUnit.SECONDS).from()).isEmpty();
  }

  @Test
  void lateGrantIsGivenBack() {
    transfers.come(new Message.TransferTurn(7, "a"));
    assertThat(sent).containsExactly(new Message.TransferOver(7));
  }

  @Test
  void interruptedReaderWithdrawsItsRequest() throws Exception {
    Future<TransferScheduler.Grant> waiting =
        threads.submit(
            () -> transfers.acquire(new TransferScheduler.Request(100, "c"), () -> List.of("a")));
    await().until(() -> !sent.isEmpty());

    threads.shutdownNow();

    assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedIOException.class);
    assertThat(sent).endsWith(new Message.TransferOver(1));
  }

  @Test
  void missingFileEndsTheWait() throws Exception {
    AtomicInteger questions = new AtomicInteger();

    assertThatThrownBy(
            () ->
                transfers.acquire(
                    new TransferScheduler.Request(100, "c"),
                    () -> {
                      if (questions.getAndIncrement() == 0) {
                        return List.of("a");
                      }
                      throw new FileNotFoundException("f");
                    }))
        .isInstanceOf(FileNotFoundException.class);

    assertThat(sent).endsWith(new Message.TransferOver(1));
  }

  @Test
  void offersItsContentAndReadsFromTheGrantedCache() throws Exception {
    transfers.share(
        new CacheClient(
            () -> CacheSecurity.plain(Secret.generate(new SecureRandom())), System::nanoTime));
    Future<TransferScheduler.Grant> waiting =
        threads.submit(
            () -> transfers.acquire(new TransferScheduler.Request(100, "c"), () -> List.of("a")));
    await().until(() -> sent.contains(new Message.TransferWish(1, "c", List.of("a"), true)));

    transfers.come(new Message.TransferTurn(1, "b", "b:1"));

    try (TransferScheduler.Grant grant = waiting.get(60, TimeUnit.SECONDS)) {
      assertThat(grant.from()).isEqualTo("b");
      assertThat(grant.cache()).isNotNull();
      grant.fromCache(70);
      grant.complete();
    }
    assertThat(sent).endsWith(new Message.TransferOver(1, true, 70));
  }
}
