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

/** What an ApplicationMaster permits while it does not know whether another one exists. */
@SuppressWarnings("try") // close() may throw any exception
class CommitLeaseTest {

  private final AtomicLong millis = new AtomicLong(1);
  private final List<String> actions = new ArrayList<>();
  private volatile @Nullable String failure;
  private volatile long checkMillis;
  private final CommitLease commitLease =
      new CommitLease(this::check, () -> TimeUnit.MILLISECONDS.toNanos(millis.get()));

  @TempDir private Path temp;

  private void check() throws IOException {
    millis.addAndGet(checkMillis);
    String why = failure;
    if (why != null) {
      throw new IOException(why);
    }
  }

  @AfterEach
  void stop() {
    commitLease.close();
  }

  @Test
  void nothingIsPermittedBeforeTheFirstCheck() {
    commitLease.whenFresh(() -> actions.add("a"));
    assertThat(actions).isEmpty();

    commitLease.checkOnce();

    assertThat(actions).containsExactly("a");
    commitLease.whenFresh(() -> actions.add("b"));
    assertThat(actions).containsExactly("a", "b");
  }

  @Test
  void checkIsValidForTwoSecondsAfterItsStart() {
    checkMillis = 500;
    commitLease.checkOnce();
    millis.addAndGet(1_499);
    assertThat(commitLease.isFresh()).isTrue();

    millis.addAndGet(1);

    assertThat(commitLease.isFresh()).isFalse();
  }

  @Test
  void slowCheckGrantsNothing() {
    checkMillis = 2_000;
    commitLease.whenFresh(() -> actions.add("a"));
    commitLease.checkOnce();
    assertThat(actions).isEmpty();

    checkMillis = 0;
    commitLease.checkOnce();

    assertThat(actions).containsExactly("a");
  }

  @Test
  void failedCheckKeepsActionsWaiting() {
    failure = "no NameNode";
    commitLease.whenFresh(() -> actions.add("a"));
    commitLease.checkOnce();
    assertThat(actions).isEmpty();

    failure = null;
    commitLease.checkOnce();

    assertThat(actions).containsExactly("a");
  }

  @Test
  void uncertainMasterPermitsNoCommits() throws Exception {
    try (TestRun run = new TestRun(temp)) {
      commitLease.checkOnce();
      run.restart();
      run.controller.useLease(commitLease);
      TestRun.Worker worker = run.join("w1", "n1");
      run.controller.returned("w1", List.of(new HeldAttempt("a", 3, 2_000, false, false)));
      run.controller.start();
      assertThat(run.controller.progress().workers()).isEqualTo(1);
      // As during a network outage: another master may have started meanwhile.
      millis.addAndGet(CommitLease.VALID_MILLIS);

      run.controller.mayCommit("w1", "a", 3);
      run.controller.reported("w1", report(run.order("a", 3), Result.SUCCEEDED, 0));

      assertThat(worker.nextOrder().askAfterMillis())
          .as("the order of b, instead of a permission")
          .isZero();
      commitLease.checkOnce();
      assertThat(worker.received.take()).isEqualTo(new Message.Permit("a", 3, true));
    }
  }

  @Test
  void certainMasterLetsShortAttemptsCommitWithoutPermission() throws Exception {
    try (TestRun run = new TestRun(temp)) {
      commitLease.checkOnce();
      run.restart();
      run.controller.useLease(commitLease);
      run.controller.start();

      TaskOrder order = run.join("w1", "n1").nextOrder();

      assertThat(order.askAfterMillis()).isEqualTo(TaskOrder.ASK_AFTER_MILLIS);
    }
  }

  @Test
  void recordsAreNotAcknowledgedIfAnotherMasterMayHaveReadTheJournal() throws Exception {
    try (TestRun run = new TestRun(temp)) {
      run.restart();
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
