package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir run --session} with options that only a new session has. */
class SessionOptionTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "--workers, 3",
    "--worker-cores, 2",
    "--worker-memory, 2048",
    "--look-ahead, 1",
    "--idle, 5s",
    "--cache, 10",
    "--large, 10",
    "--slots, 1",
    "--master-memory, 1024",
  })
  void optionsFixedAtTheSessionsStartAreRefused(String option, String value) throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--session", "auto", option, value))
        .contains(option + " is for a session that is started, and auto is up")
        .contains("give it to 'weir session start'");
  }

  @Test
  void emptySessionNameIsRefused() throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--session", "")).contains("--session is empty");
  }
}
