package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Python programs outside the project that read Weir's output. Their tests run only where the
 * programs are installed.
 */
public final class GivenPython {
  /** The system property that names the Python interpreter; {@code python3} if it is not set. */
  public static final String PROPERTY = "weir.python";

  private static final int MINUTES = 2;

  private final String python;
  private final Path directory;

  private GivenPython(String python, Path directory) {
    this.python = python;
    this.directory = directory;
  }

  /**
   * Returns a Python with these modules. If they cannot be imported, fails if the property is set,
   * because it requests the test, and otherwise skips the test.
   *
   * @param modules their names, with commas between them
   * @param directory for the input and output of the programs
   * @throws IOException if the directory cannot be written
   * @throws InterruptedException if the thread is interrupted
   */
  public static GivenPython with(String modules, Path directory)
      throws IOException, InterruptedException {
    String named = System.getProperty(PROPERTY);
    GivenPython python = new GivenPython(named == null ? "python3" : named, directory);
    String failure = python.importFailure(modules);
    if (named == null) {
      assumeThat(failure).as("-D%s=PYTHON, one that imports %s", PROPERTY, modules).isEmpty();
    }
    assertThat(failure).as("-D%s=%s imports %s", PROPERTY, named, modules).isEmpty();
    return python;
  }

  /**
   * Runs a program. Fails if the program fails.
   *
   * @param program its text
   * @param input its standard input
   * @param arguments its arguments
   * @return its output
   * @throws IOException if it cannot be started
   * @throws InterruptedException if the thread is interrupted
   */
  public String run(String program, String input, String... arguments)
      throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    Process process = start(program, input, output, arguments);
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  private Process start(String program, String input, Path output, String... arguments)
      throws IOException {
    Path script = Files.writeString(directory.resolve("program.py"), program);
    Path read = Files.write(directory.resolve("input"), input.getBytes(StandardCharsets.UTF_8));
    ProcessBuilder builder =
        new ProcessBuilder(python, "-X", "utf8", script.toString())
            .redirectInput(read.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.command().addAll(List.of(arguments));
    return builder.start();
  }

  /** Returns why the modules cannot be imported; empty if they can. */
  private String importFailure(String modules) throws IOException, InterruptedException {
    Path output = directory.resolve("import.txt");
    Process process;
    try {
      process = start("import " + modules, "", output);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    try {
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      return ended && process.exitValue() == 0 ? "" : "it fails: " + Files.readString(output);
    } finally {
      process.destroyForcibly();
    }
  }
}
