package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.Needs;
import dev.weir.workflow.protocol.ReadFile;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskRunnerTest {

  private final ExecutorService pool = Executors.newFixedThreadPool(4);
  @TempDir private Path temp;
  private final Gate gate = new Gate(1, 1L << 30);
  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(Map.of("PATH", "/usr/bin:/bin"), guard);
  private DirectoryStore store;
  private TaskRunner runner;

  @BeforeEach
  void makeRunner() throws IOException {
    store = new DirectoryStore(Files.createDirectory(temp.resolve("store")));
    Files.createDirectory(temp.resolve("logs"));
    makeRunner(store);
  }

  private void makeRunner(DataStore of) {
    Map<String, String> container =
        Map.of("PATH", "/usr/bin:/bin", "WEIR_RUN_SECRET", "secret", "HOME", "/home");
    runner =
        new TaskRunner(
            of,
            new TaskRunner.Places(
                temp.resolve("sandboxes"),
                temp.resolve("logs"),
                CommandEnvironment.base(container)),
            new TaskRunner.Tools(
                new Transfers(pool, pool, pool, 64 << 20), shells, System::nanoTime));
  }

  private TaskReport run(TaskOrder order) throws InterruptedException {
    return runner.run(order, gate.ticket(order.needs()));
  }

  @AfterEach
  void stopPool() {
    pool.shutdownNow();
    shells.close();
    guard.close();
  }

  private static List<FileSlot> slots(String... names) {
    return Arrays.stream(names).map(name -> new FileSlot(name, "/data/" + name, 10)).toList();
  }

  private static TaskOrder order(List<FileSlot> inputs, List<FileSlot> outputs, String... command) {
    return new TaskOrder(
        "task",
        1,
        "1-1",
        List.of(command),
        inputs,
        outputs,
        Map.of("MINE", "a b"),
        false,
        0,
        Needs.ONE_CORE);
  }

  private static TaskOrder shell(List<FileSlot> inputs, List<FileSlot> outputs, String script) {
    return order(inputs, outputs, "sh", "-c", script);
  }

  private List<Path> everythingBelow(String directory) throws IOException {
    try (Stream<Path> files = Files.walk(temp.resolve(directory))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void readsTheInputsRunsTheCommandAndCommitsTheOutputs() throws Exception {
    store.write("/data/a", "1234");
    store.write("/data/b", "56789");
    store.moveAway("/data/b");

    TaskReport report = run(shell(slots("a", "b"), slots("c"), "cat a b > c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("123456789");
    assertThat(report.exitCode()).isZero();
    assertThat(report.outputs())
        .containsExactly(new StoredFile("c", 9, Map.of("here", 9L, "elsewhere", 9L), 0xe3069283L));
    assertThat(report.inputs())
        .containsExactly(new ReadFile("a", 4, 0xf63af4eeL), new ReadFile("b", 5, 0x83b565d8L));
    assertThat(report.usage().inputBytesLocal()).isEqualTo(4);
    assertThat(report.usage().inputBytesRemote()).isEqualTo(5);
    assertThat(report.usage().outputBytes()).isEqualTo(9);
    assertThat(report.usage().outputBytesRemote()).isEqualTo(9);
    assertThat(everythingBelow("sandboxes")).isEmpty();
    assertThat(everythingBelow("store")).hasSize(3);
    assertThat(everythingBelow("logs")).isEmpty();
  }

  @Test
  void oddNamesAreNamesLikeOthers() throws Exception {
    String odd = "deep/er dir/it's \"50%\" & $HOME;*?\\#+,{x}=.dat";
    store.write("/data/" + odd, "odd");

    TaskReport report =
        run(
            order(
                slots(odd),
                slots("out/" + odd),
                "sh",
                "-c",
                "cp \"$1\" \"$2\"",
                "sh",
                odd,
                "out/" + odd));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/out/" + odd)).isEqualTo("odd");
  }

  @Test
  void lettersBeyondAsciiAreLettersLikeOthers() throws Exception {
    assumeThat(Charset.forName(System.getProperty("sun.jnu.encoding")).name()).isEqualTo("UTF-8");
    String odd = "\u00e9t\u00e9 \u6f22\u5b57.dat";
    store.write("/data/" + odd, "odd");

    TaskReport report =
        run(
            order(
                slots(odd),
                slots("o" + odd),
                "sh",
                "-c",
                "cp \"$1\" \"$2\"",
                "sh",
                odd,
                "o" + odd));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/o" + odd)).isEqualTo("odd");
  }

  @Test
  void theSandboxHoldsExactlyTheDeclaredInputs() throws Exception {
    store.write("/data/a", "");
    store.write("/data/sub/b", "");
    store.write("/data/undeclared", "");

    TaskReport report =
        run(
            shell(
                slots("a", "sub/b"),
                slots("listing"),
                "find . -type f > /tmp/$$; mv /tmp/$$ listing"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/listing").lines().sorted()).containsExactly("./a", "./sub/b");
  }

  @Test
  void theCommandSeesItsOwnVariablesAndNoSecrets() throws Exception {
    TaskReport report = run(shell(slots(), slots("env"), "env > env"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/env"))
        .contains("MINE=a b\n", "WEIR_TASK=task\n", "HOME=/home\n")
        .doesNotContain("secret");
  }

  @Test
  void aCommandThatFailsLeavesNothingAndSaysWhy() throws Exception {
    TaskReport report =
        run(shell(slots(), slots("c"), "echo x > c; echo said; echo why >&2; exit 3"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(3);
    assertThat(report.message()).isEqualTo("the command exited with 3");
    assertThat(report.stderrTail()).isEqualTo("why");
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

    assertThat(report.stderrTail()).startsWith("line ").endsWith("line 1999");
    assertThat(report.stderrTail().length()).isBetween(3000, 4096);
  }

  @Test
  void aProgramThatIsNotThereIsAFailureOfTheTask() throws Exception {
    TaskReport report = run(order(slots(), slots(), "no-such-program"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(127);
    assertThat(report.message()).contains("'no-such-program'", "is not on here");
    assertThat(report.stderrTail()).contains("no-such-program");
  }

  @Test
  void aProgramThatCannotBeExecutedIsAFailureThatSaysSo() throws Exception {
    TaskReport report = run(order(slots(), slots(), "/etc/passwd"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isEqualTo(126);
    assertThat(report.message()).contains("'/etc/passwd'", "cannot be executed");
  }

  @Test
  void aCommandThatIsKilledIsSaidToBe() throws Exception {
    TaskReport report = run(shell(slots(), slots(), "kill -9 $$"));

    assertThat(report.message()).isEqualTo("the command exited with 137: signal 9 ended it");
  }

  @Test
  void whatACommandTakesOfProcessorAndMemoryIsMeasured() throws Exception {
    String eightMegabytes = "x=$(head -c 8000000 /dev/zero | tr '\\0' x)";
    String busyForLong = "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done";
    // The shell that starts it is the same for both: what the first took is not the second's.
    TaskReport large =
        run(
            shell(
                slots(), slots("c"), eightMegabytes + "; " + busyForLong + "; sleep 1; echo > c"));
    TaskReport small = run(shell(slots(), slots("c"), "echo > c"));

    assertThat(large.result()).as(large.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(large.effort().peakMemoryBytes()).isGreaterThan(8_000_000);
    assertThat(large.effort().cpuMillis()).isPositive();
    assertThat(small.effort().cpuMillis()).isLessThan(large.effort().cpuMillis());
  }

  private TaskRunner watching(Path kernelStatistics) {
    return on(new Machine(new KernelKills(kernelStatistics), () -> Long.MAX_VALUE));
  }

  private TaskRunner on(Machine machine) {
    return new TaskRunner(
        store,
        new TaskRunner.Places(
            temp.resolve("sandboxes"),
            temp.resolve("logs"),
            CommandEnvironment.base(Map.of("PATH", "/usr/bin:/bin"))),
        new TaskRunner.Tools(new Transfers(pool, pool, pool, 64 << 20), shells, System::nanoTime),
        machine);
  }

  @Test
  void aCommandThatTheKernelKilledIsSaidToWantMemory() throws Exception {
    Path statistics = Files.writeString(temp.resolve("vmstat"), "nr_free_pages 9\noom_kill 3\n");
    TaskRunner watchful = watching(statistics);
    TaskOrder bySomebody = shell(slots(), slots(), "kill -9 $$");
    TaskOrder byKernel =
        shell(slots(), slots(), "echo oom_kill 5 > '" + statistics + "'; kill -9 $$");

    TaskReport first = watchful.run(bySomebody, gate.ticket(bySomebody.needs()));
    Files.writeString(statistics, "nr_free_pages 9\noom_kill 4\n");
    TaskReport longAfter = watchful.run(bySomebody, gate.ticket(bySomebody.needs()));
    TaskReport starved = watchful.run(byKernel, gate.ticket(byKernel.needs()));
    TaskReport last = watchful.run(bySomebody, gate.ticket(bySomebody.needs()));

    assertThat(first.result()).isEqualTo(Result.FAILED);
    assertThat(longAfter.result()).as("of another container").isEqualTo(Result.FAILED);
    assertThat(starved.result()).isEqualTo(Result.MEMORY_EXCEEDED);
    assertThat(starved.message()).contains("for want of memory", "--worker-memory");
    assertThat(last.result()).isEqualTo(Result.FAILED);
  }

  @Test
  void twoCommandsThatTheKernelKillsTogetherAreBothKilledByIt() throws Exception {
    Path statistics = Files.writeString(temp.resolve("vmstat"), "oom_kill 3\n");
    Path both = Files.createDirectory(temp.resolve("both"));
    TaskRunner watchful = watching(statistics);
    Gate wide = new Gate(2, 1 << 20);
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
  void aCommandThatWritesBesideItsSandboxFailsAndIsCleanedUpAfter() throws Exception {
    TaskReport report = run(shell(slots(), slots("c"), "touch c ../stray"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.message()).contains("wrote outside its sandbox: '../stray'", "$TMPDIR");
    assertThat(everythingBelow("store")).isEmpty();
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void whatACommandLeavesInItsTemporaryDirectoryIsNobodysBusiness() throws Exception {
    TaskReport report = run(shell(slots(), slots("c"), "touch c $TMPDIR/x"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void aQuotaIsNoFailureThatAnotherTryWouldCure() throws Exception {
    store.refuse(new DSQuotaExceededException(10, 20));

    TaskReport report = run(shell(slots(), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.REFUSED);
    assertThat(report.message())
        .startsWith("cannot store the output /data/c: The DiskSpace quota")
        .contains("-clrSpaceQuota");
    assertThat(everythingBelow("store")).isEmpty();
  }

  @Test
  void anHdfsThatDoesNotTakeAnOutputIsNotTheCommandsFault() throws Exception {
    store.refuse(new ConnectException("Connection refused"));

    TaskReport report = run(shell(slots(), slots("c"), "echo made > c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(report.exitCode()).as("the command did its work").isZero();
    assertThat(report.message()).contains("cannot store the output /data/c", "refused");
  }

  @Test
  void aFullDiskIsTheNodesFault() throws Exception {
    store.write("/data/a", "");
    store.refuse(new IOException("No space left on device"));

    TaskReport report = run(shell(slots("a"), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.NODE_UNFIT);
    assertThat(report.message())
        .startsWith("cannot read the input /data/a: No space left on device")
        .contains("here with " + temp.resolve("sandboxes"));
  }

  @ParameterizedTest
  @CsvSource({"0, NODE_UNFIT", "1000000000000, INFRASTRUCTURE"})
  void aDiskThatATaskFillsByItselfIsFullForNobodyElse(long roomAfterwards, Result result)
      throws Exception {
    Machine machine =
        new Machine(
            KernelKills.ofThisMachine(),
            () -> everythingBelow("sandboxes").isEmpty() ? roomAfterwards : 0);
    TaskOrder order = shell(slots(), slots("c"), "echo much > c; exit 1");

    TaskReport report = on(machine).run(order, gate.ticket(order.needs()));

    assertThat(report.result()).isEqualTo(result);
    assertThat(report.message()).contains("exited with 1", "the disk of here with");
  }

  @Test
  void safeModeOnlyTakesTime() throws Exception {
    store.write("/data/a", "1");
    SafeModeException safeMode = new SafeModeException("Name node is in safe mode.");
    store.refuse(safeMode);
    store.refuse(safeMode);
    store.beforeCommit(() -> store.refuseOnce(safeMode));

    TaskReport report = run(shell(slots("a"), slots("c"), "cp a c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("1");
  }

  @Test
  void aProgramAmongTheInputsIsMadeExecutable() throws Exception {
    store.write("/data/bin/tool", "#!/bin/sh\necho tool > out\n");

    TaskReport report = run(order(slots("bin/tool"), slots("out"), "./bin/tool"));

    assertThat(report.result())
        .as(report.message() + report.stderrTail())
        .isEqualTo(Result.SUCCEEDED);
  }

  @Test
  void aMissingOutputIsAFailureNamedSo() throws Exception {
    TaskReport report = run(shell(slots(), slots("made", "forgotten"), "echo x > made"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.exitCode()).isZero();
    assertThat(report.message()).startsWith("output missing: 'forgotten'");
    assertThat(everythingBelow("store")).isEmpty();
  }

  @Test
  void aDirectoryIsNoOutput() throws Exception {
    TaskReport report = run(shell(slots(), slots("d"), "mkdir d"));

    assertThat(report.message()).startsWith("output 'd' is a directory");
  }

  @Test
  void manyInputsAreAskedForTogether() throws Exception {
    String[] names = new String[500];
    for (int i = 0; i < names.length; i++) {
      names[i] = "d/" + i;
      store.write("/data/d/" + i, i + "\n");
    }

    TaskReport report = run(shell(slots(names), slots("sum"), "cat d/* | sort -n > sum"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/sum").lines()).hasSize(500).startsWith("0", "1", "2");
    assertThat(store.questions()).isEqualTo(1);
    assertThat(report.inputs()).extracting(ReadFile::name).containsExactly(names);
  }

  @Test
  void anInputThatIsReplacedMeanwhileIsReadAsItIsThen() throws Exception {
    store.write("/data/a", "old");
    store.beforeFetch(
        target -> {
          if (store.fetches() == 0) {
            store.write("/data/a", "newer");
          }
        });

    TaskReport report = run(shell(slots("a"), slots("c"), "cp a c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/c")).isEqualTo("newer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chmod u+w a; echo more >> a",
        "chmod u+w a; printf 5678 > a",
        "touch -r a stamp; chmod u+w a; printf 5678 > a; touch -r stamp a",
        "printf 5678 > b; mv b a",
        "touch -r a b; printf 5678 > b; touch -r a b; mv b a"
      })
  void anAlteredInputFailsTheTask(String script) throws Exception {
    store.write("/data/a", "1234");

    TaskReport report = run(shell(slots("a"), slots("c"), script + "; touch c"));

    assertThat(report.result()).isEqualTo(Result.FAILED);
    assertThat(report.message()).startsWith("input 'a' altered while the command ran");
    assertThat(store.file("/data/c")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rm a", "chmod 755 a", "mv a b; mv b a", "ln a b", "cat a", "ln -s a b"})
  void whatLeavesTheContentAloneIsNoAlteration(String script) throws Exception {
    store.write("/data/a", "1234");

    TaskReport report = run(shell(slots("a"), slots("c"), script + "; touch c"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1000})
  void anAlteredInputDoesNotReachTheNextTaskThroughTheCache(long copied) throws Exception {
    store.write("/data/a", "1234");
    List<FileSlot> shared = List.of(new FileSlot("a", "/data/a", 4, FileSlot.Kind.SHARED, 0));
    try (NodeCache cache =
        new NodeCache(
            CacheSpace.open(temp.resolve("cache"), CacheRoom.of(1 << 20)),
            Clock.systemUTC(),
            copied)) {
      makeRunner(new CachingStore(store, cache));
      assertThat(run(shell(shared, slots("c"), "cp a c")).usage().inputBytesCached()).isZero();
      assertThat(run(shell(shared, slots("c"), "cp a c")).usage().inputBytesCached()).isEqualTo(4);

      TaskReport bad = run(shell(shared, slots("c"), "chmod u+w a; printf 5678 > a; touch c"));
      TaskReport good = run(shell(shared, slots("d"), "cp a d"));

      assertThat(bad.result()).isEqualTo(Result.FAILED);
      assertThat(bad.message()).startsWith("input 'a' altered while the command ran");
      assertThat(good.result()).as(good.message()).isEqualTo(Result.SUCCEEDED);
      assertThat(store.read("/data/d")).isEqualTo("1234");
    }
  }

  @Test
  void anInputThatIsAnOutputTooMayBeAltered() throws Exception {
    store.write("/data/a", "1234");

    TaskReport report = run(shell(slots("a"), slots("a"), "test -w a && printf 5678 >> a"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.read("/data/a")).isEqualTo("12345678");
  }

  @Test
  void anInputThatTheStoreHasLostIsNotTheTasksFault() throws Exception {
    store.write("/data/a", "");

    TaskReport report = run(shell(slots("a", "gone"), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.INPUT_LOST);
    assertThat(report.lostInputs()).containsExactly("gone");
    assertThat(report.message()).isEqualTo("input lost: gone");
  }

  @Test
  void aFailedCommitLeavesNothingTemporary() throws Exception {
    store.write("/data/c/in-the-way", "");

    TaskReport report = run(shell(slots(), slots("c"), "touch c"));

    assertThat(report.result()).isEqualTo(Result.REFUSED);
    assertThat(report.message()).contains("destination /data/c must both be", "move it away");
    assertThat(everythingBelow("store")).hasSize(1);
  }

  @Test
  void anAttemptThatIsToldToStopCommitsNothingMore() throws Exception {
    store.beforeCommit(() -> Thread.currentThread().interrupt());

    assertThatThrownBy(() -> run(shell(slots(), slots("one", "two"), "touch one two")))
        .isInstanceOf(InterruptedException.class)
        .hasMessageContaining("/data/two");

    assertThat(everythingBelow("store")).containsExactly(store.file("/data/one"));
  }

  @Test
  void whatACommandLeavesRunningEndsWithIt() throws Exception {
    TaskReport report = run(shell(slots(), slots("pid"), "sleep 1000 > /dev/null & echo $! > pid"));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    awaitDeath(Long.parseLong(store.read("/data/pid").strip()));
  }

  @Test
  void stoppingTheWorkerKillsTheCommandAndItsChildren() throws Exception {
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
  void theInputsOfTheNextComeWhileACommandRunsAndTheCommandWaitsForItsTurn() throws Exception {
    store.write("/data/a", "1234");
    Gate.Ticket first = gate.ticket(Needs.ONE_CORE);
    assertThat(first.enter()).isTrue();
    TaskOrder order = shell(slots("a"), slots("b"), "cat a > b");
    ExecutorService attempts = Executors.newSingleThreadExecutor();

    Future<TaskReport> next = attempts.submit(() -> run(order));

    await().until(() -> everythingBelow("sandboxes").size() == 1);
    assertThat(next.isDone()).isFalse();
    assertThat(store.file("/data/b")).doesNotExist();
    first.leave();
    assertThat(next.get().result()).isEqualTo(Result.SUCCEEDED);
    attempts.shutdownNow();
  }

  @Test
  void anAttemptThatIsRecalledBeforeItsTurnDoesNothing() throws Exception {
    Gate.Ticket turn = gate.ticket(Needs.ONE_CORE);
    assertThat(turn.recall()).isTrue();

    TaskReport report = runner.run(shell(slots(), slots("c"), "touch c"), turn);

    assertThat(report.result()).isEqualTo(Result.RECALLED);
    assertThat(everythingBelow("store")).isEmpty();
    assertThat(everythingBelow("sandboxes")).isEmpty();
  }

  @Test
  void anAttemptThatHasBegunIsNotRecalled() throws Exception {
    Gate.Ticket turn = gate.ticket(Needs.ONE_CORE);

    TaskReport report = runner.run(shell(slots(), slots("c"), "touch c"), turn);

    assertThat(report.result()).isEqualTo(Result.SUCCEEDED);
    assertThat(turn.recall()).isFalse();
  }

  @Test
  void theEndOfTheGuardIsTheEndOfWhatRuns() throws Exception {
    Path pid = temp.resolve("pid");
    ExecutorService attempts = Executors.newSingleThreadExecutor();
    Future<TaskReport> attempt =
        attempts.submit(
            () -> run(shell(slots(), slots(), "setsid sleep 1000 & echo $! > " + pid + "; wait")));
    await().until(() -> Files.exists(pid) && Files.size(pid) > 0);

    guard.close();

    // The guard ends the shell, too, which may be before it has told of the command's end.
    assertThat(attempt.get().result()).isIn(Result.FAILED, Result.INFRASTRUCTURE);
    awaitDeath(Long.parseLong(Files.readString(pid).strip()));
    attempts.shutdownNow();
  }

  private static void awaitDeath(long pid) {
    await().until(() -> ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true));
  }

  @Test
  void aStandInReadsPausesAndWritesTheDeclaredSizes() throws Exception {
    store.write("/data/a", "1234");
    List<FileSlot> outputs =
        List.of(new FileSlot("big", "/data/big", 100_000), new FileSlot("none", "/data/none", 0));

    TaskReport report =
        run(
            new TaskOrder(
                "task",
                1,
                "1-1",
                List.of(),
                slots("a"),
                outputs,
                Map.of(),
                true,
                30,
                Needs.ONE_CORE));

    assertThat(report.result()).as(report.message()).isEqualTo(Result.SUCCEEDED);
    assertThat(store.file("/data/big")).hasSize(100_000);
    assertThat(store.file("/data/none")).hasSize(0);
    assertThat(report.usage().runMillis()).isGreaterThanOrEqualTo(30);
    assertThat(report.usage().inputBytesLocal()).isEqualTo(4);
  }
}
