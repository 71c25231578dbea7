package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.transfer.FailureClassifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shell that ends before its command. */
class LostCommandTest {

  private static final Map<String, String> INHERITED = Map.of("PATH", "/usr/bin:/bin");

  private final ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());

  private final CommandShells shells = new CommandShells(INHERITED, guard);

  @TempDir private Path temp;

  @AfterEach
  void end() {
    shells.close();
    guard.close();
  }

  private TaskProcess start(String name, String script) throws IOException {
    return TaskProcess.start(
        new TaskProcess.Command(
            List.of("sh", "-c", script),
            temp,
            INHERITED,
            temp.resolve(name),
            temp.resolve("stderr")),
        shells);
  }

  /** Returns the output of a command as soon as there is some. */
  private String outputOf(String name) throws IOException {
    Path file = temp.resolve(name);
    await().until(() -> Files.exists(file) && Files.readString(file).endsWith("\n"));
    return Files.readString(file).strip();
  }

  private static void kill(String signal, String... pids) throws Exception {
    String all = String.join(" ", pids);
    Process killing = new ProcessBuilder("sh", "-c", "kill -s " + signal + " " + all).start();
    assertThat(killing.waitFor()).isZero();
  }

  private static FailureClassifier classify(TaskProcess process) {
    return FailureClassifier.of(
        catchThrowableOfType(IOException.class, () -> process.await(0)), "n1");
  }

  @Test
  void commandThatNeverBeganDidNotEndItsShell() throws Exception {
    assertThat(start("pid", "echo $PPID").await(0).orElseThrow()).isZero();
    String shell = outputOf("pid");
    kill("STOP", shell);
    TaskProcess process = start("never", "echo begun");

    kill("KILL", shell);

    FailureClassifier classify = classify(process);
    assertThat(classify.result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(classify.message())
        .startsWith("the command was lost: the shell that was to start it ended before it");
    assertThat(temp.resolve("never")).doesNotExist();
  }
}
