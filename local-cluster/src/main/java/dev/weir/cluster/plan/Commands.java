package dev.weir.cluster.plan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs tools of the operating system and returns their output. */
public final class Commands {
  private static final long LIMIT_SECONDS = 30;

  private Commands() {}

  /**
   * Runs a command.
   *
   * @return standard output and standard error together
   * @throws ClusterException if the command cannot be run or its exit code is not 0
   */
  public static String run(String... command) throws IOException {
    return runBatch(List.of(), command);
  }

  /** Runs a command with lines on its standard input. */
  public static String runBatch(List<String> lines, String... command) throws IOException {
    String commandLine = String.join(" ", command);
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new ClusterException("Cannot run '" + commandLine + "': " + e.getMessage(), e);
    }
    try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
      for (String line : lines) {
        input.write(line + "\n");
      }
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new ClusterException(
            "'" + commandLine + "' did not end within " + LIMIT_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while running '" + commandLine + "'");
    }
    if (process.exitValue() != 0) {
      throw new ClusterException(
          "'" + commandLine + "' ended with " + process.exitValue() + ": " + output.strip());
    }
    return output;
  }
}
