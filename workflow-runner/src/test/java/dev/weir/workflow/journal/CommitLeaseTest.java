package dev.weir.workflow.journal;

import static dev.weir.workflow.controller.TestRun.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.controller.TestRun;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an ApplicationMaster lets happen while it does not know whether there is another. */
@SuppressWarnings("try") // What a run opens may throw anything.
class CommitLeaseTest {

  private final AtomicLong millis = new AtomicLong(1);
  private final List<String> done = new ArrayList<>();
  private volatile @Nullable String trouble;
  private volatile long lookMillis;
  private final CommitLease commitLease =
      new CommitLease(this::look, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));

  @TempDir private Path temp;

  private void look() throws IOException {
    millis.addAndGet(lookMillis);
    String why = trouble;
    if (why != null) {
      throw new IOException(why);
    }
  }

  @AfterEach
  void stop() {
    commitLease.close();
  }

  @Test
  void nothingHappensBeforeTheFirstLook() {
    commitLease.whenFresh(() -> done.add("a"));
    assertThat(done).isEmpty();

    commitLease.checkOnce();

    assertThat(done).containsExactly("a");
    commitLease.whenFresh(() -> done.add("b"));
    assertThat(done).containsExactly("a", "b");
  }

  @Test
  void whatALookHasFoundIsGoodForTwoSecondsFromItsBeginning() {
    lookMillis = 500;
    commitLease.checkOnce();
    millis.addAndGet(1_499);
    assertThat(commitLease.isFresh()).isTrue();

    millis.addAndGet(1);

    assertThat(commitLease.isFresh()).isFalse();
  }

  @Test
  void aLookThatTookTooLongSaysNothing() {
    lookMillis = 2_000;
    commitLease.whenFresh(() -> done.add("a"));
    commitLease.checkOnce();
    assertThat(done).isEmpty();

    lookMillis = 0;
    commitLease.checkOnce();

    assertThat(done).containsExactly("a");
  }

  @Test
  void aLookThatFailsKeepsWhatWaitsWaiting() {
    trouble = "no NameNode";
    commitLease.whenFresh(() -> done.add("a"));
    commitLease.checkOnce();
    assertThat(done).isEmpty();

    trouble = null;
    commitLease.checkOnce();

    assertThat(done).containsExactly("a");
  }

  @Test
  void whoIsNotSureLetsNobodyCommitAndGivesNoOrderThatCommitsUnasked() throws Exception {
    try (TestRun run = new TestRun(temp)) {
      commitLease.checkOnce();
      run.carryOn();
      run.controller.useLease(commitLease);
      TestRun.Worker worker = run.join("w1", "n1");
      run.controller.returned("w1", List.of(new HeldAttempt("a", 3, 2_000, false, false)));
      run.controller.start();
      assertThat(run.controller.progress().workers()).isEqualTo(1);
      // As when the network is away: another may have come meanwhile.
      millis.addAndGet(CommitLease.VALID_MILLIS);

      run.controller.mayCommit("w1", "a", 3);
      run.controller.reported("w1", report(run.order("a", 3), Result.SUCCEEDED, 0));

      assertThat(worker.nextOrder().askAfterMillis()).as("of b, in place of the permit").isZero();
      commitLease.checkOnce();
      assertThat(worker.heard.take()).isEqualTo(new Message.Permit("a", 3, true));
    }
  }

  @Test
  void whoIsSureLetsShortAttemptsCommitUnasked() throws Exception {
    try (TestRun run = new TestRun(temp)) {
      commitLease.checkOnce();
      run.carryOn();
      run.controller.useLease(commitLease);
      run.controller.start();

      TaskOrder order = run.join("w1", "n1").nextOrder();

      assertThat(order.askAfterMillis()).isEqualTo(TaskOrder.ASK_AFTER_MILLIS);
    }
  }

  @Test
  void nothingIsSaidToBeInTheJournalThatAnotherMayHaveReadBefore() throws Exception {
    try (TestRun run = new TestRun(temp)) {
      run.carryOn();
      run.controller.useLease(commitLease);
      CompletableFuture<Void> inJournal = run.journal.written();
      CompletableFuture<Void> written = run.controller.written();
      inJournal.get();
      run.journal.written().get();
      assertThat(written).isNotDone();

      commitLease.checkOnce();

      written.get();
    }
  }
}
