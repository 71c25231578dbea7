package dev.weir.it.run;

import static org.awaitility.Awaitility.await;

import dev.weir.it.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code weir run} in a process of its own, with two tasks. The first waits until the test lets
 * it end; the second copies its output. Closing it before its end cancels it.
 */
final class BlockedRun implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(3);
  private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");

  private final Path begun;
  private final Path gate;
  private final Path output;
  private final Process process;

  /**
   * Starts the run.
   *
   * @param folder an empty directory for its files
   * @param environment added to that of this process
   * @param options of {@code weir run}
   */
  BlockedRun(Path folder, Map<String, String> environment, String... options) throws IOException {
    begun = folder.resolve("begun");
    gate = folder.resolve("gate");
    output = folder.resolve("output.txt");
    Path file = folder.resolve("waits.makeflow");
    Files.writeString(
        file,
        "a.out:\n\ttouch %s; until [ -e %s ]; do sleep 0.2; done; echo a > a.out\n\n"
                .formatted(begun, gate)
            + "b.out: a.out\n\tcat a.out > b.out\n");
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of("run", file.toString(), "--out", folder.resolve("out").toString()));
    command.addAll(List.of(options));
    ProcessBuilder run =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    run.environment().putAll(environment);
    process = run.start();
  }

  /** Waits until the first task runs, or until the run has ended. */
  void awaitBegun() {
    await().atMost(DEADLINE).until(() -> Files.exists(begun) || !isAlive());
  }

  /** Lets the first task end. */
  void open() throws IOException {
    Files.createFile(gate);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end, and returns the exit code. */
  int end() throws InterruptedException {
    return process.waitFor();
  }

  /** The id of its application. */
  String id() throws IOException {
    Matcher id = APPLICATION.matcher(output());
    if (!id.find()) {
      throw new AssertionError("No application in " + output());
    }
    return id.group();
  }

  /** What it has printed. */
  String output() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    process.destroy();
  }
}
