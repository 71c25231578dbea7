package dev.weir.service.runs;

import dev.weir.service.database.Database;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * Another process that stores runs in H2, and reports one more attempt for each byte that it
 * receives.
 */
final class RunReporter {
  static final RunKey KEY = new RunKey("ann", "r");

  private RunReporter() {}

  /** Returns the settings of a database that reuses freed space of its file after a second. */
  static DatabaseSettings settings(String file) {
    return new DatabaseSettings(
        "jdbc:h2:" + file + ";RETENTION_TIME=1000", "", "", 4, Duration.ofSeconds(10));
  }

  static Database opened(DatabaseSettings settings) {
    Database database = new Database(settings, Optional::empty);
    database.start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> database.unavailableReason().isEmpty());
    return database;
  }

  static Process start(Path file) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            RunReporter.class.getName(),
            file.toString())
        .redirectOutput(ProcessBuilder.Redirect.PIPE)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /**
   * Runs the process.
   *
   * @param args the file
   */
  public static void main(String[] args) throws IOException {
    try (Database database = opened(settings(args[0]))) {
      RunStore store = new RunStore(database, Clock.systemUTC(), (owner, rows) -> {});
      acknowledge(0);
      int attempts = 0;
      while (System.in.read() >= 0) {
        if (attempts == 0) {
          store.put(KEY, RunClient.head("/d", RunPhase.RUNNING));
          store.add(
              KEY,
              RunPart.ofTasks(List.of(), List.of(RunClient.task("t", List.of("a"), List.of("b")))));
        }
        attempts++;
        store.add(KEY, RunPart.ofAttempts(List.of(RunClient.attempt("t", attempts, attempts))));
        acknowledge(attempts);
      }
    }
  }

  /** The log may use the same stream, so the mark is a byte that logs do not have. */
  private static void acknowledge(int attempts) {
    System.out.write(1);
    System.out.write(attempts);
    System.out.flush();
  }

  /** Waits for the next acknowledgement. */
  static int acknowledged(Process process) throws IOException {
    int mark = process.getInputStream().read();
    while (mark > 1 || mark == 0) {
      mark = process.getInputStream().read();
    }
    if (mark < 0) {
      throw new IOException("the other process has ended");
    }
    return process.getInputStream().read();
  }
}
