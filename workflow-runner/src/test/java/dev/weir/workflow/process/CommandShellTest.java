package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.worker.Pids;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Commands started by shells: their environment, their exit and the processes that they leave. */
class CommandShellTest {

  private static final Map<String, String> INHERITED =
      Map.of("PATH", "/usr/bin:/bin", "HOME", "/home/it's me");

  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
  private final CommandShells shells = new CommandShells(INHERITED, guard);
  @TempDir private Path temp;

  @AfterEach
  void end() {
    shells.close();
    guard.close();
  }

  private TaskProcess start(Map<String, String> environment, String... argv) throws IOException {
    Map<String, String> all = new HashMap<>(INHERITED);
    all.putAll(environment);
    return TaskProcess.start(
        new TaskProcess.Command(
            List.of(argv), temp, all, temp.resolve("stdout"), temp.resolve("stderr")),
        shells);
  }

  private int run(Map<String, String> environment, String... argv) throws Exception {
    return start(environment, argv).await(0).orElseThrow();
  }

  private String stdout() throws IOException {
    return Files.readString(temp.resolve("stdout"));
  }

  private static boolean lives(String pid) {
    return Pids.runs(Long.parseLong(pid.strip()));
  }

  @Test
  void charactersBeyondAsciiArePassedInEveryLocale() throws Exception {
    String odd = "\u00e9t\u00e9 'it''s' \\x41 $HOME \ud83d\ude00\n\u6f22";
    for (String locale : List.of("C", "C.UTF-8")) {
      Map<String, String> environment = Map.of("LC_ALL", locale, "ODD", odd);

      assertThat(run(environment, "sh", "-c", "printf %s%s \"$ODD\" \"$1\"", "sh", odd)).isZero();

      assertThat(stdout()).as(locale).isEqualTo(odd + odd);
    }
  }

  @Test
  void argumentsArriveAsTheyAre() throws Exception {
    String[] odd = {
      "a b", "", "it's", "\"$HOME\"", "two\nlines\n", "*", "\\", "größer ✓", "-n", "`id`"
    };
    String[] argv = new String[odd.length + 2];
    argv[0] = "printf";
    argv[1] = "[%s]";
    System.arraycopy(odd, 0, argv, 2, odd.length);

    assertThat(run(Map.of(), argv)).isZero();

    assertThat(stdout()).isEqualTo("[" + String.join("][", odd) + "]");
  }

  @Test
  void environmentIsExactlyTheGivenOne() throws Exception {
    Map<String, String> output =
        Map.of(
            "MINE", "a 'b'\n$c", "PATH", "/bin:/usr/bin", "UID", "me", "with.dot", "x", "IFS", "c");

    assertThat(run(output, "env", "-0")).isZero();

    Map<String, String> seen = new TreeMap<>();
    String all = stdout();
    for (String entry : all.substring(0, all.length() - 1).split("\0", -1)) {
      seen.put(entry.substring(0, entry.indexOf('=')), entry.substring(entry.indexOf('=') + 1));
    }
    assertThat(seen)
        .containsAllEntriesOf(output)
        .containsEntry("HOME", "/home/it's me")
        .containsEntry(ProcessGuard.MARK, guard.mark());
    assertThat(seen.keySet())
        .isSubsetOf(
            "MINE", "PATH", "UID", "with.dot", "IFS", "HOME", "PWD", "SHLVL", ProcessGuard.MARK);
  }

  @Test
  void variablesDoNotLeakIntoTheNextCommand() throws Exception {
    assertThat(run(Map.of("FIRST", "1"), "true")).isZero();

    assertThat(run(Map.of(), "sh", "-c", "echo \"[$FIRST]\"")).isZero();

    assertThat(stdout()).isEqualTo("[]\n");
  }

  @Test
  void commandRunsInItsDirectoryWithEmptyInput() throws Exception {
    assertThat(run(Map.of(), "sh", "-c", "pwd; cat")).isZero();

    assertThat(stdout().strip()).isEqualTo(temp.toRealPath().toString());
  }

  @Test
  void exitCodesAndSignalsAreReported() throws Exception {
    assertThat(run(Map.of(), "sh", "-c", "exit 42")).isEqualTo(42);
    assertThat(run(Map.of(), "sh", "-c", "kill -s KILL $$")).isEqualTo(128 + 9);
    assertThat(run(Map.of(), "sh", "-c", "exit 0")).isZero();
  }

  @Test
  void missingProgramIsReported() throws Exception {
    assertThat(run(Map.of(), "no-such-program")).isEqualTo(127);
    assertThat(Files.readString(temp.resolve("stderr"))).contains("no-such-program", "not found");

    Path plain = Files.writeString(temp.resolve("plain"), "#!/bin/sh\n");
    assertThat(run(Map.of(), plain.toString())).isEqualTo(126);
    assertThat(Files.readString(temp.resolve("stderr"))).contains("plain", "denied");
  }

  @Test
  void shellBuiltinIsNoProgram() throws Exception {
    assertThat(run(Map.of(), "exit", "0")).isEqualTo(127);
  }

  @Test
  void nulInAnArgumentIsRefused() throws Exception {
    assertThatThrownBy(() -> start(Map.of(), "echo", "a\0b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a\\0b");
    assertThatThrownBy(() -> start(Map.of("V", "\0"), "true"))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(run(Map.of(), "true")).isZero();
  }

  @Test
  void missingDirectoryIsAnError() throws Exception {
    TaskProcess process =
        TaskProcess.start(
            new TaskProcess.Command(
                List.of("true"),
                temp.resolve("nowhere"),
                INHERITED,
                temp.resolve("stdout"),
                temp.resolve("stderr")),
            shells);

    assertThat(process.await(0).orElseThrow()).isEqualTo(CommandScript.CANNOT_START);
  }

  @Test
  void unwritableLogIsAnError() throws Exception {
    TaskProcess process =
        TaskProcess.start(
            new TaskProcess.Command(
                List.of("true"),
                temp,
                INHERITED,
                temp.resolve("nowhere/stdout"),
                temp.resolve("stderr")),
            shells);

    assertThat(process.await(0).orElseThrow()).isEqualTo(CommandScript.CANNOT_START);
  }

  @Test
  void backgroundProcessesEndWithTheirCommand() throws Exception {
    assertThat(run(Map.of(), "sh", "-c", "sleep 1000 >/dev/null & echo $!")).isZero();

    String left = stdout();
    await().until(() -> !lives(left));
  }

  private static final Map<String, String> FIRST = Map.of("WEIR_TASK", "t", "WEIR_ATTEMPT", "1");
  private static final Map<String, String> OTHER = Map.of("WEIR_TASK", "t", "WEIR_ATTEMPT", "2");

  /**
   * Shell code of a daemon that leaves its process group, so that killing the group does not end
   * it.
   */
  private static String daemon(Path pid) {
    return "setsid sh -c 'echo $$ > " + pid + "; exec sleep 1000' & ";
  }

  private static String pidIn(Path pid) {
    await().until(() -> Files.exists(pid) && Files.readString(pid).endsWith("\n"));
    try {
      return Files.readString(pid);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command that leaves a daemon, and returns the daemon's pid. */
  private String daemonLeftBy(Map<String, String> owner) throws Exception {
    Path pid = temp.resolve("left");
    String script = daemon(pid) + "until [ -s " + pid + " ]; do sleep 0.01; done";
    assertThat(run(owner, "sh", "-c", script)).isZero();
    return pidIn(pid);
  }

  @Test
  void daemonsAreFoundAfterTheEndOfTheirCommand() throws Exception {
    Path other = temp.resolve("other");
    TaskProcess goesOn = start(OTHER, "sh", "-c", daemon(other) + "exec sleep 1000");
    String its = pidIn(other);
    String left = daemonLeftBy(FIRST);
    assertThat(lives(left)).as("no search has run yet").isTrue();

    shells.orphans().scan();

    await().until(() -> !lives(left));
    assertThat(lives(its)).isTrue();
    goesOn.kill();
    assertThat(goesOn.await(0).orElseThrow()).isEqualTo(128 + 9);
    shells.orphans().scan();
    await().until(() -> !lives(its));
  }

  @Test
  void commandsWithOneNameEndWithTheLastOfThem() throws Exception {
    Path pid = temp.resolve("pid");
    TaskProcess goesOn = start(FIRST, "sh", "-c", daemon(pid) + "exec sleep 1000");
    String its = pidIn(pid);
    assertThat(run(FIRST, "true")).isZero();
    String left = daemonLeftBy(OTHER);

    shells.orphans().scan();

    await().until(() -> !lives(left));
    assertThat(lives(its)).isTrue();
    goesOn.kill();
    assertThat(goesOn.await(0).orElseThrow()).isEqualTo(128 + 9);
    shells.orphans().scan();
    await().until(() -> !lives(its));
  }

  private List<ProcessHandle> guards() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().arguments().stream()
                    .flatMap(Arrays::stream)
                    .anyMatch((ProcessGuard.MARK + "=" + guard.mark())::equals))
        .toList();
  }

  @Test
  void endedGuardIsReplacedWhileACommandRuns() throws Exception {
    TaskProcess process = start(Map.of(), "sleep", "1000");
    await().until(() -> guard.guarded() == 1);
    await().until(() -> guards().size() == 1);
    ProcessHandle first = guards().get(0);

    assertThat(first.destroyForcibly()).isTrue();

    await().until(() -> guards().stream().anyMatch(other -> !other.equals(first)));
    process.kill();
    assertThat(process.await(0).orElseThrow()).isEqualTo(128 + 9);
  }

  @Test
  void commandDuringTheWorkersEndCausesNoWarning() throws Exception {
    LogCapturer ofShells = LogCapturer.captureLogs(LoggerFactory.getLogger(CommandShell.class));
    LogCapturer ofGuards = LogCapturer.captureLogs(LoggerFactory.getLogger(ProcessGuard.class));
    try {
      guard.close();
      TaskProcess late = start(Map.of(), "true");

      assertThatThrownBy(() -> late.await(0)).hasMessageContaining("the command was lost");

      assertThat(ofShells.getOutput()).doesNotContain("the worker is shutting down");
      assertThat(ofGuards.getOutput()).doesNotContain("the worker is shutting down");
    } finally {
      ofShells.stopCapturing();
      ofGuards.stopCapturing();
    }
  }

  @Test
  void killedCommandEndsWithItsProcesses() throws Exception {
    TaskProcess process = start(Map.of(), "sh", "-c", "sleep 1000 & echo $!; wait");
    String child = pidIn(temp.resolve("stdout"));

    process.kill();

    assertThat(process.await(0).orElseThrow()).isEqualTo(128 + 9);
    await().until(() -> !lives(child));
  }

  @Test
  void suspendedCommandIsAwaited() throws Exception {
    TaskProcess process = start(Map.of(), "sh", "-c", "echo $$; kill -s STOP $$; echo again");
    String pid = pidIn(temp.resolve("stdout")).strip();
    await().until(() -> Files.readString(Path.of("/proc", pid, "stat")).contains(") T "));

    assertThat(new ProcessBuilder("kill", "-s", "CONT", pid).start().waitFor()).isZero();

    assertThat(process.await(0).orElseThrow()).isZero();
    assertThat(stdout()).isEqualTo(pid + "\nagain\n");
  }

  @Test
  void shellStartsManyCommands() throws Exception {
    assertThat(run(Map.of(), "sh", "-c", "echo $PPID")).isZero();
    String first = stdout();

    assertThat(run(Map.of(), "sh", "-c", "echo $PPID")).isZero();

    assertThat(stdout()).isEqualTo(first);
  }

  @Test
  void commandThatKillsItsShellIsLostAndTheNextRuns() throws Exception {
    TaskProcess process = start(Map.of(), "sh", "-c", "kill -s KILL $PPID; exit 0");

    assertThatThrownBy(() -> process.await(0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shell that started the command has ended");

    assertThat(run(Map.of(), "true")).isZero();
  }

  @Test
  void killReturnsWhenTheCommandHasEnded() throws Exception {
    TaskProcess process = start(Map.of(), "sh", "-c", "echo $$; exec sleep 1000");
    String pid = pidIn(temp.resolve("stdout"));

    process.end();

    assertThat(lives(pid)).isFalse();
    assertThat(process.await(0).orElseThrow()).isEqualTo(128 + 9);
  }

  @Test
  void lostCommandIsNotWatchedForever() throws Exception {
    Path go = temp.resolve("go");
    TaskProcess process =
        start(Map.of(), "sh", "-c", "echo $$; until [ -e go ]; do sleep 0.05; done; kill -9 $PPID");
    await().until(() -> guard.guarded() == 1);
    Files.createFile(go);

    assertThatThrownBy(() -> process.await(0)).hasMessageContaining("the command was lost");

    await().until(() -> guard.guarded() == 0);
    assertThat(shells.memory().watched()).isZero();
    String command = stdout();
    await().until(() -> !lives(command));
  }

  @Test
  void commandHasItsOwnProcessGroup() throws Exception {
    assertThat(run(Map.of(), "sh", "-c", "echo $$; ps -o pgid= -p $$")).isZero();

    String[] lines = stdout().split("\n", -1);
    assertThat(lines[1].strip()).isEqualTo(lines[0]);
  }
}
