package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.process.HostProbe;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.transfer.InputLostException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports of failed attempts, and whether the task, the node or HDFS failed. */
class TaskRunnerFailureTest extends TaskRunnerTestBase {

  @Test
  void failedCommandLeavesNothingAndReportsTheReason() throws Exception {
    TaskReport report =
        run(shell(slots(), slots("c"), "echo x > c; echo said; echo why >&2; exit 3"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(3);
    assertThat(report.message()).isEqualTo("the command exited with 3");
    assertThat(report.outputTail()).isEqualTo("why");
    assertThat(everythingBelow("store")).isEmpty();
    assertThat(everythingBelow("logs")).hasSize(2);
  }

  @Test
  void onlyTheEndOfALongStderrIsReported() throws Exception {
    TaskReport report =
        run(
            shell(
                slots(),
                slots(),
                "i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done >&2; exit 1"));

    assertThat(report.outputTail()).startsWith("line 1950\n").endsWith("line 1999");
  }

  @Test
  void missingProgramFailsTheTask() throws Exception {
    TaskReport report = run(order(slots(), slots(), "no-such-program"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(127);
    assertThat(report.message()).contains("'no-such-program'", "is not on here");
    assertThat(report.outputTail()).contains("no-such-program");
  }

  @Test
  void nonExecutableProgramFailsTheTask() throws Exception {
    TaskReport report = run(order(slots(), slots(), "/etc/passwd"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(126);
    assertThat(report.message()).contains("'/etc/passwd'", "cannot be executed");
  }

  @Test
  void killedCommandIsReportedAsKilled() throws Exception {
    TaskReport report = run(shell(slots(), slots(), "kill -9 $$"));

    assertThat(report.message()).isEqualTo("the command exited with 137: signal 9 ended it");
  }

  @Test
  void commandBeyondItsTimeLimitIsKilledWithItsProcesses() throws Exception {
    TaskReport report = run(shell(slots(), slots(), "sleep 1000 & echo $! >&2; wait").limited(1));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(137);
    assertThat(report.message())
        .startsWith("the command was killed because it ran longer than its time limit of 1 s")
        .contains("--task-timeout");
    await().until(() -> ProcessHandle.of(Long.parseLong(report.outputTail())).isEmpty());
  }

  @Test
  void commandThatKillsItsParentIsReported() throws Exception {
    TaskReport report = run(shell(slots(), slots(), "kill -9 $PPID; exit 0"));

    assertThat(report.result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(report.message())
        .startsWith("the command was lost: the shell that started the command has ended before it")
        .contains("killed by the command perhaps, or by another task of this node")
        .contains("kill neither its parent ($PPID)")
        .doesNotContain("Exception");
  }

  @Test
  void exceededQuotaIsNotRetried() throws Exception {
    store.injectedFailures.add(new DSQuotaExceededException(10, 20));

    TaskReport report = run(shell(slots(), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.REFUSED);
    assertThat(report.message())
        .startsWith("cannot store the output /data/c: The DiskSpace quota")
        .contains("-clrSpaceQuota");
    assertThat(everythingBelow("store")).isEmpty();
  }

  @Test
  void failedWriteToHdfsIsAnInfrastructureFailure() throws Exception {
    store.injectedFailures.add(new ConnectException("Connection refused"));

    TaskReport report = run(shell(slots(), slots("c"), "echo made > c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(report.exitCode()).as("the command succeeded").isZero();
    assertThat(report.message()).contains("cannot store the output /data/c", "refused");
  }

  @ParameterizedTest
  @CsvSource({
    "0, NODE_UNFIT, free space there",
    "1000000000000, INFRASTRUCTURE, yarn.nodemanager.local-dirs"
  })
  void diskFilledByATaskDoesNotBlameTheNode(long roomAfterwards, Result result, String remedy)
      throws Exception {
    HostProbe machine =
        new HostProbe(() -> 0, () -> everythingBelow("sandboxes").isEmpty() ? roomAfterwards : 0);
    TaskOrder order = shell(slots(), slots("c"), "echo much > c; exit 1");

    TaskReport report = runnerOn(machine).run(order, gate.ticket(order.needs()));

    assertThat(report.result()).isEqualTo(result);
    assertThat(report.message()).contains("exited with 1", "the disk of here with", remedy);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, NODE_UNFIT, free space there",
    "0, 1000000000000, INFRASTRUCTURE, yarn.nodemanager.local-dirs",
    // The part that was fetched is already removed.
    "1500000, 1000000000000, INFRASTRUCTURE, yarn.nodemanager.local-dirs",
    // Inodes or a quota are exhausted, so the next task would fail too.
    "1000000000000, 1000000000000, NODE_UNFIT, free space there"
  })
  void diskFilledByInputsDoesNotBlameTheNode(
      long roomBefore, long roomAfterwards, Result result, String remedy) throws Exception {
    HostProbe machine =
        new HostProbe(
            () -> 0,
            () ->
                Files.exists(temp.resolve("sandboxes/attempt-1/work"))
                    ? roomBefore
                    : roomAfterwards);
    store.write("/data/a", "x".repeat(1_000_000));
    store.injectedFailures.add(new IOException("No space left on device"));
    TaskOrder order = shell(slots("a"), slots("c"), "touch c");

    TaskReport report = runnerOn(machine).run(order, gate.ticket(order.needs()));

    assertThat(report.result()).isEqualTo(result);
    assertThat(report.message())
        .startsWith("cannot read the input /data/a: No space left on device")
        .contains("here with " + temp.resolve("sandboxes"), remedy);
  }

  @Test
  void safeModeOnlyDelaysTheTask() throws Exception {
    store.write("/data/a", "1");
    SafeModeException safeMode = new SafeModeException("Name node is in safe mode.");
    store.injectedFailures.add(safeMode);
    store.injectedFailures.add(safeMode);
    store.beforeCommit(() -> store.injectedFailures.addOnce(safeMode));

    TaskReport report = run(shell(slots("a"), slots("c"), "cp a c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("1");
  }

  @Test
  void missingOutputFailsTheTask() throws Exception {
    TaskReport report = run(shell(slots(), slots("made", "forgotten"), "echo x > made"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isZero();
    assertThat(report.message())
        .startsWith("output missing: 'forgotten'")
        .contains("the command created ");
    assertThat(everythingBelow("store")).isEmpty();
  }

  @Test
  void failedCommitLeavesNoOutputVisible() throws Exception {
    Files.createDirectories(store.file("/data/two"));

    TaskReport report = run(shell(slots(), slots("one", "two", "three"), "touch one two three"));

    assertThat(report.result()).isNotEqualTo(Result.SUCCEEDED);
    assertThat(report.message()).contains("/data/two");
    assertThat(everythingBelow("store")).isEmpty();
  }

  @Test
  void directoryInPlaceOfAnOutputFailsTheTask() throws Exception {
    TaskReport report = run(shell(slots(), slots("d"), "mkdir d"));

    assertThat(report.message()).startsWith("output 'd' is a directory");
  }

  @Test
  void lostInputIsNotAFailureOfTheTask() throws Exception {
    store.write("/data/a", "");

    TaskReport report = run(shell(slots("a", "gone"), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.INPUT_LOST);
    assertThat(report.lostInputs()).containsExactly("gone");
    assertThat(report.message()).isEqualTo("input lost: gone");
  }

  @Test
  void unreadableInputDoesNotCountAsLost() throws Exception {
    store.write("/data/a", "");
    store.injectedFailures.add(
        new InputLostException("/data/a", new BlockMissingException("/data/a", "b", 0)));

    TaskReport report = run(shell(slots("a"), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.INPUT_UNREADABLE);
    assertThat(report.lostInputs()).containsExactly("a");
    assertThat(report.message())
        .startsWith("input cannot be read now: /data/a: ")
        .contains("hdfs fsck");
  }

  @Test
  void failedCommitLeavesNoTemporaryFiles() throws Exception {
    store.write("/data/c/in-the-way", "");

    TaskReport report = run(shell(slots(), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.REFUSED);
    assertThat(report.message()).contains("destination /data/c must both be", "move it away");
    assertThat(everythingBelow("store")).hasSize(1);
  }

  private TaskRunner runnerWatching(Path kernelStatistics) {
    return runnerOn(
        new HostProbe(() -> HostProbe.oomKills(kernelStatistics), () -> Long.MAX_VALUE));
  }

  @Test
  void commandKilledByTheKernelIsReportedAsOutOfMemory() throws Exception {
    Path statistics = Files.writeString(temp.resolve("vmstat"), "nr_free_pages 9\noom_kill 3\n");
    TaskRunner watchful = runnerWatching(statistics);
    TaskOrder killedOrder = shell(slots(), slots(), "kill -9 $$");
    TaskOrder byKernel =
        shell(slots(), slots(), "echo oom_kill 5 > '" + statistics + "'; kill -9 $$");

    TaskReport first = watchful.run(killedOrder, gate.ticket(killedOrder.needs()));
    Files.writeString(statistics, "nr_free_pages 9\noom_kill 4\n");
    TaskReport longAfter = watchful.run(killedOrder, gate.ticket(killedOrder.needs()));
    TaskReport starved = watchful.run(byKernel, gate.ticket(byKernel.needs()));
    TaskReport last = watchful.run(killedOrder, gate.ticket(killedOrder.needs()));

    assertThat(first.result()).isEqualTo(Result.FAILED);
    assertThat(longAfter.result()).as("the kill was in another container").isEqualTo(Result.FAILED);
    assertThat(starved.result()).isEqualTo(Result.MEMORY_EXCEEDED);
    assertThat(starved.message())
        .contains("because the node was out of memory", "--worker-memory")
        .contains("it had 1024 MiB, all of its worker's");
    assertThat(last.result()).isEqualTo(Result.FAILED);
  }

  @Test
  void commandKilledWhileItUsedMoreMemoryThanItHasIsReportedAsOutOfMemory() throws Exception {
    ResourceGate small = new ResourceGate(1, 4 << 20);
    TaskOrder order =
        shell(slots(), slots(), "x=$(head -c 8000000 /dev/zero | tr '\\0' x); sleep 1; kill -9 $$");

    TaskReport report = runner.run(order, small.ticket(order.needs()));

    assertThat(report.result()).isEqualTo(Result.MEMORY_EXCEEDED);
    assertThat(report.message())
        .containsPattern("it used \\d+ of 4 MiB, all of its worker's\\): declare the memory");
  }

  @Test
  void twoCommandsKilledTogetherAreBothReportedAsOutOfMemory() throws Exception {
    Path statistics = Files.writeString(temp.resolve("vmstat"), "oom_kill 3\n");
    Path both = Files.createDirectory(temp.resolve("both"));
    TaskRunner watchful = runnerWatching(statistics);
    ResourceGate wide = new ResourceGate(2, 1 << 20);
    TaskOrder killed =
        shell(
            slots(),
            slots(),
            "echo > '"
                + both
                + "'/$$; while [ $(ls '"
                + both
                + "' | wc -l) -lt 2 ]; do sleep 0.05; done; echo oom_kill 5 > '"
                + statistics
                + "'.$$; mv '"
                + statistics
                + "'.$$ '"
                + statistics
                + "'; kill -9 $$");
    CompletableFuture<Result> other = new CompletableFuture<>();
    Thread beside =
        new Thread(
            () -> {
              try {
                other.complete(watchful.run(killed, wide.ticket(killed.needs())).result());
              } catch (InterruptedException e) {
                other.completeExceptionally(e);
              }
            });
    beside.start();

    TaskReport report = watchful.run(killed, wide.ticket(killed.needs()));

    assertThat(report.result()).isEqualTo(Result.MEMORY_EXCEEDED);
    assertThat(other.get()).isEqualTo(Result.MEMORY_EXCEEDED);
  }

  @Test
  void filesWrittenBesideTheSandboxFailTheTaskAndAreRemoved() throws Exception {
    TaskReport report = run(shell(slots(), slots("c"), "touch c ../stray"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.message()).contains("wrote outside its sandbox: '../stray'", "$TMPDIR");
    assertThat(everythingBelow("store")).isEmpty();
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }
}
