package dev.weir.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MakeflowWatchTest {

  @TempDir Path folder;

  /**
   * The daemon of Open MPI must not be taken for a running rule, or a hanging makeflow is never
   * ended.
   */
  @ParameterizedTest
  @CsvSource({"orted,false", "rule,true"})
  void onlyProcessesOfRulesCountAsRules(String program, boolean rule) throws Exception {
    Path child = Files.copy(Path.of("/bin/sleep"), folder.resolve(program));
    assertThat(child.toFile().setExecutable(true)).isTrue();
    Optional<String> known = Optional.of(child.toRealPath().toString());
    Process makeflow = new ProcessBuilder("sh", "-c", child + " 60 & wait").start();
    try {
      await().until(() -> makeflow.children().anyMatch(one -> one.info().command().equals(known)));

      assertThat(MakeflowWatch.runsRules(makeflow)).isEqualTo(rule);
    } finally {
      makeflow.descendants().forEach(ProcessHandle::destroyForcibly);
      makeflow.destroyForcibly();
    }
  }
}
