package dev.weir.workflow.worker;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command in a session and process group of its own, which ends as a whole: when the command
 * exits, when {@link #kill} is called, and when this JVM ends in whatever way ({@link
 * ProcessGuard}).
 */
final class TaskProcess implements AutoCloseable {

  private static final File NO_INPUT = new File("/dev/null");

  private final Process process;
  private final ProcessGuard guard;

  private TaskProcess(Process process, ProcessGuard guard) {
    this.process = process;
    this.guard = guard;
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

  /**
   * Starts a command. A program that does not exist is no error here: it ends with 127 at once, and
   * its standard error says so.
   */
  static TaskProcess start(Command command, ProcessGuard guard) throws IOException {
    // The process that setsid replaces is no leader of a group yet, so it makes no other process.
    List<String> argv = new ArrayList<>(List.of("setsid", "--"));
    argv.addAll(command.argv());
    ProcessBuilder builder =
        new ProcessBuilder(argv)
            .directory(command.directory().toFile())
            .redirectInput(Redirect.from(NO_INPUT))
            .redirectOutput(command.stdout().toFile())
            .redirectError(command.stderr().toFile());
    builder.environment().clear();
    builder.environment().putAll(command.environment());
    builder.environment().put(ProcessGuard.MARK, guard.mark());
    Process process = builder.start();
    try {
      guard.began(process.pid());
    } catch (IOException e) {
      process.destroyForcibly();
      throw new IOException("the command cannot be guarded: " + e.getMessage(), e);
    }
    return new TaskProcess(process, guard);
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

  /** Ends what the command left running. */
  @Override
  public void close() {
    guard.over(process.pid());
  }
}
