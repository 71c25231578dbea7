package dev.weir.service.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.service.database.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is killed keeps what it has acknowledged. */
class H2KilledTest {
  private static final Duration IDLE = Duration.ofSeconds(3);

  @TempDir private Path directory;

  /** H2 2.5.252 loses some or all data after it has reused space of its file. */
  @Test
  void acknowledgedDataSurvivesKill() throws Exception {
    Path file = directory.resolve("runs");
    Process process = RunReporter.start(file);
    try {
      assertThat(RunReporter.acknowledged(process)).isZero();
      awaitIdle(file);
      process.getOutputStream().write(1);
      process.getOutputStream().flush();
      assertThat(RunReporter.acknowledged(process)).isEqualTo(1);
      awaitIdle(file);
      process.destroyForcibly().waitFor();
      try (Database database = RunReporter.opened(RunReporter.settings(file.toString()))) {
        RunStore store = new RunStore(database, Clock.systemUTC(), (owner, rows) -> {});
        assertThat(store.find(RunReporter.KEY))
            .hasValueSatisfying(
                run -> {
                  assertThat(store.totals(run.number()).tasks()).isEqualTo(1);
                  assertThat(store.totals(run.number()).attempts()).isEqualTo(1);
                });
      }
    } finally {
      process.destroyForcibly();
    }
  }

  /** H2 compacts its file in the background; it has finished when the file no longer changes. */
  private static void awaitIdle(Path file) {
    Path stored = file.resolveSibling(file.getFileName() + ".mv.db");
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                Duration.between(Files.getLastModifiedTime(stored).toInstant(), Instant.now())
                        .compareTo(IDLE)
                    > 0);
  }
}
