package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistyped {@code --rerun} is refused, so that no task is skipped by mistake. */
class RerunOptionTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "'', --rerun is blank",
    "'split,', has a blank pattern",
    "nosuch, 'matches no task id or type of the workflow; its types are count, split'",
    "'split,nosuch', --rerun 'nosuch' matches no task",
    "SPLIT*, --rerun 'SPLIT*' matches no task",
    "'split,all', has 'all' among others",
  })
  void patternWithoutTaskIsRefusedBeforeTheClusterIsContacted(String rerun, String said)
      throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--rerun", rerun)).contains(said);
  }
}
