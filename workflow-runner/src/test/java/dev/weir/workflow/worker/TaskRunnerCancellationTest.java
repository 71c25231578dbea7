package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The start, recall and cancellation of attempts; no process survives its attempt. */
class TaskRunnerCancellationTest extends TaskRunnerTestBase {

  @Test
  void stoppedAttemptCommitsNothing() throws Exception {
    TaskOrder order = shell(slots(), slots("one", "two"), "touch one two").asking(0);

    assertThatThrownBy(
            () ->
                runner.run(
                    order, gate.ticket(order.needs()), asks -> Thread.currentThread().interrupt()))
        .isInstanceOf(InterruptedException.class);

    Thread.interrupted();
    assertThat(everythingBelow("store")).isEmpty();
  }

  @Test
  void attemptStoppedDuringItsCommitCompletesTheCommit() throws Exception {
    store.beforeCommit(interruptingOnce());

    TaskReport report = run(shell(slots(), slots("one", "two", "three"), "touch one two three"));

    assertThat(report.result()).isEqualTo(Result.SUCCEEDED);
    assertThat(everythingBelow("store"))
        .containsExactlyInAnyOrder(
            store.file("/data/one"), store.file("/data/two"), store.file("/data/three"));
  }

  /** Interrupts the thread between the first and the second output. */
  private static Runnable interruptingOnce() {
    AtomicInteger commits = new AtomicInteger();
    return () -> {
      if (commits.incrementAndGet() == 2) {
        Thread.currentThread().interrupt();
      }
    };
  }

  @Test
  void backgroundProcessesEndWithTheirCommand() throws Exception {
    TaskReport report = run(shell(slots(), slots("pid"), "sleep 1000 > /dev/null & echo $! > pid"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    awaitDeath(Long.parseLong(store.read("/data/pid").strip()));
  }

  @Test
  void stoppingTheWorkerKillsTheCommandAndItsChildProcesses() throws Exception {
    Path pid = temp.resolve("pid");
    ExecutorService attempts = Executors.newSingleThreadExecutor();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Future<?> attempt =
        attempts.submit(
            () -> {
              assertThatThrownBy(
                      () ->
                          run(shell(slots(), slots(), "sleep 1000 & echo $! > " + pid + "; wait")))
                  .isInstanceOf(InterruptedException.class);
              interrupted.complete(true);
            });
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);

    attempts.shutdownNow();

    attempt.get();
    assertThat(interrupted.get()).isTrue();
    awaitDeath(Long.parseLong(Files.readString(pid).strip()));
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void inputsOfTheNextTaskAreStagedWhileACommandRuns() throws Exception {
    store.write("/data/a", "1234");
    ResourceGate.Ticket first = gate.ticket(ResourceNeeds.ONE_CORE);
    assertThat(first.enter()).isTrue();
    TaskOrder order = shell(slots("a"), slots("b"), "cat a > b");
    ExecutorService attempts = Executors.newSingleThreadExecutor();

    Future<TaskReport> next = attempts.submit(() -> run(order));

    // The sandbox is created while the directory is walked, which is no failure.
    await()
        .ignoreExceptionsMatching(
            e -> e instanceof NoSuchFileException || e instanceof UncheckedIOException)
        .until(() -> everythingBelow("sandboxes").size() == 1);
    assertThat(next.isDone()).isFalse();
    assertThat(store.file("/data/b")).doesNotExist();
    first.leave();
    assertThat(next.get().result()).isEqualTo(Result.SUCCEEDED);
    attempts.shutdownNow();
  }

  @Test
  void attemptRecalledBeforeItsStartDoesNothing() throws Exception {
    ResourceGate.Ticket turn = gate.ticket(ResourceNeeds.ONE_CORE);
    assertThat(turn.recall()).isTrue();

    TaskReport report = runner.run(shell(slots(), slots("c"), "touch c"), turn);

    assertThat(report.result()).isEqualTo(Result.RECALLED);
    assertThat(everythingBelow("store")).isEmpty();
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void startedAttemptIsNotRecalled() throws Exception {
    ResourceGate.Ticket turn = gate.ticket(ResourceNeeds.ONE_CORE);

    TaskReport report = runner.run(shell(slots(), slots("c"), "touch c"), turn);

    assertThat(report.result()).isEqualTo(Result.SUCCEEDED);
    assertThat(turn.recall()).isFalse();
  }

  @Test
  void closingTheGuardEndsRunningCommands() throws Exception {
    Path pid = temp.resolve("pid");
    ExecutorService attempts = Executors.newSingleThreadExecutor();
    Future<TaskReport> attempt =
        attempts.submit(
            () -> run(shell(slots(), slots(), "setsid sleep 1000 & echo $! > " + pid + "; wait")));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);

    guard.close();

    // Closing the guard also ends the shell, perhaps before it has reported the end of the command.
    assertThat(attempt.get().result()).isIn(Result.FAILED, Result.INFRASTRUCTURE);
    awaitDeath(Long.parseLong(Files.readString(pid).strip()));
    attempts.shutdownNow();
  }
}
