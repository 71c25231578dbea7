package dev.weir.workflow.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command in a session and process group of its own, which ends as a whole: when the command
 * exits, when {@link #kill} is called, and when this JVM ends in whatever way. A shell in the group
 * watches a pipe from here and kills the group when the pipe closes; nothing else would do it after
 * a {@code kill -9} of the worker.
 */
final class TaskProcess implements AutoCloseable {

  /** The watcher reads descriptor 3, the pipe; the command gets an empty standard input. */
  private static final String GUARD =
      """
      exec 3<&0 0</dev/null
      ( read -r never <&3; kill -s KILL -- -$$ ) >/dev/null 2>&1 &
      "$@" 3<&-
      """;

  private final Process process;

  private TaskProcess(Process process) {
    this.process = process;
  }

  /**
   * What to start.
   *
   * @param argv program and arguments
   * @param directory working directory
   * @param environment all variables of the command
   * @param stdout file for standard output
   * @param stderr file for standard error
   */
  record Command(
      List<String> argv,
      Path directory,
      Map<String, String> environment,
      Path stdout,
      Path stderr) {}

  static TaskProcess start(Command command) throws IOException {
    List<String> argv = new ArrayList<>(List.of("setsid", "sh", "-c", GUARD, "sh"));
    argv.addAll(command.argv());
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .directory(command.directory().toFile())
            .redirectOutput(command.stdout().toFile())
            .redirectError(command.stderr().toFile());
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    return new TaskProcess(builder.start());
  }

  /**
   * Waits for the command.
   *
   * @return its exit code; 128 + n when signal n ended it
   */
  int await() throws InterruptedException {
    return process.waitFor();
  }

  /** Kills the command and whatever it started. */
  void kill() {
    close();
    process.destroyForcibly();
  }

  /** Ends what the command left running. Idempotent. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The watcher is gone already, and the group with it.
      process.destroyForcibly();
    }
  }
}
