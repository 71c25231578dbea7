package dev.weir.workflow.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A container runtime that is installed on this machine. Thread-safe.
 *
 * @param path absolute path of the program
 * @param environment the environment in which the program runs
 */
record RuntimeProgram(ContainerRuntime kind, Path path, Map<String, String> environment) {

  /** Long enough to load a large image. A daemon that does not answer never ends a call. */
  private static final Duration LONGEST_CALL = Duration.ofMinutes(15);

  /** The program exited with an error, or did not end. */
  static final class CallFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    private CallFailedException(String message) {
      super(message);
    }
  }

  /** Returns the command line of the program with arguments. */
  List<String> argv(List<String> arguments) {
    List<String> argv = new ArrayList<>(List.of(path.toString()));
    argv.addAll(arguments);
    return argv;
  }

  /**
   * Runs the program and waits for its end, at most 15 minutes.
   *
   * @return the output of the program, without blanks at its ends
   * @throws CallFailedException when the program exits with an error, whose last line is in the
   *     message, or does not end in time; it is then killed
   * @throws InterruptedException when the thread is interrupted; the program is then killed
   */
  String call(String... arguments) throws IOException, InterruptedException {
    return call(LONGEST_CALL, arguments);
  }

  /** As {@link #call(String...)}, with another limit. */
  String call(Duration limit, String... arguments) throws IOException, InterruptedException {
    // A read of a pipe cannot be interrupted.
    Path output = Files.createTempFile("runtime", ".out");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(argv(List.of(arguments)))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      try {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new CallFailedException(
              path.getFileName()
                  + " "
                  + arguments[0]
                  + " did not end in "
                  + limit.toSeconds()
                  + " s");
        }
      } finally {
        process.destroyForcibly();
      }
      int code = process.exitValue();
      String printed = new String(Files.readAllBytes(output), UTF_8).strip();
      if (code != 0) {
        throw new CallFailedException(
            path.getFileName()
                + " "
                + arguments[0]
                + " exited with "
                + code
                + ": "
                + printed.substring(printed.lastIndexOf('\n') + 1));
      }
      return printed;
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
