package dev.weir.workflow.image;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A runtime that is installed on this machine. Thread-safe.
 *
 * @param path the program
 * @param environment its variables
 */
record RuntimeProgram(ContainerRuntime kind, Path path, Map<String, String> environment) {

  /** A call that failed. */
  static final class CallFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    private CallFailedException(String message) {
      super(message);
    }
  }

  /** Returns its command line. */
  List<String> argv(List<String> arguments) {
    List<String> argv = new ArrayList<>(List.of(path.toString()));
    argv.addAll(arguments);
    return argv;
  }

  /**
   * Calls it.
   *
   * @return what it printed
   * @throws CallFailedException when it exits with an error; the message is what it printed last
   * @throws InterruptedException when the thread is interrupted; the call has then ended
   */
  String call(String... arguments) throws IOException, InterruptedException {
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
      int code;
      try {
        code = process.waitFor();
      } finally {
        process.destroyForcibly();
      }
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
