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
 * Python programs that are not part of the project. Tests that feed Weir's output to them run only
 * where they are installed.
 */
public final class GivenPython {
  /** A system property: the Python that has the modules, {@code python3} where it is not set. */
  public static final String PROPERTY = "weir.python";

  private static final int MINUTES = 2;

  private final String python;
  private final Path directory;

  private GivenPython(String python, Path directory) {
    this.python = python;
    this.directory = directory;
  }

  /**
   * A Python with some modules. The test that asks is skipped where the property is not set and
   * there is none, and fails where the property is set: the test was requested.
   *
   * @param modules their names, with commas between them
   * @param directory for what the programs read and say
   * @throws IOException when the directory cannot be written
   * @throws InterruptedException when the thread is interrupted
   */
  public static GivenPython with(String modules, Path directory)
      throws IOException, InterruptedException {
    String named = System.getProperty(PROPERTY);
    GivenPython python = new GivenPython(named == null ? "python3" : named, directory);
    String lack = python.lackOf(modules);
    if (named == null) {
      assumeThat(lack).as("-D%s=PYTHON, one that imports %s", PROPERTY, modules).isEmpty();
    }
    assertThat(lack).as("-D%s=%s imports %s", PROPERTY, named, modules).isEmpty();
    return python;
  }

  /**
   * Runs a program, which has to succeed.
   *
   * @param program its text
   * @param input what it reads as its standard input
   * @param arguments its arguments
   * @return what it says
   * @throws IOException when it cannot be started
   * @throws InterruptedException when the thread is interrupted
   */
  public String run(String program, String input, String... arguments)
      throws IOException, InterruptedException {
    Path said = directory.resolve("said.txt");
    Process process = start(program, input, said, arguments);
    try {
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(said);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  private Process start(String program, String input, Path said, String... arguments)
      throws IOException {
    Path script = Files.writeString(directory.resolve("program.py"), program);
    Path read = Files.write(directory.resolve("input"), input.getBytes(StandardCharsets.UTF_8));
    ProcessBuilder builder =
        new ProcessBuilder(python, "-X", "utf8", script.toString())
            .redirectInput(read.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.command().addAll(List.of(arguments));
    return builder.start();
  }

  /** What is to be said of modules that cannot be imported; empty when they can. */
  private String lackOf(String modules) throws IOException, InterruptedException {
    Path said = directory.resolve("lack.txt");
    Process process;
    try {
      process = start("import " + modules, "", said);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
    try {
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      return ended && process.exitValue() == 0 ? "" : "it fails: " + Files.readString(said);
    } finally {
      process.destroyForcibly();
    }
  }
}
