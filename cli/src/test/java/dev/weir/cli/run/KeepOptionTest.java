package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mistyped {@code --keep} deletes nothing. */
class KeepOptionTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "right.txt, weir, such as 'left.txt'",
    "right.txt, stock, such as 'left.txt'",
    "'left.txt,all', locality, give it alone",
    "'left.txt,', weir, has a blank pattern",
  })
  void patternWithoutIntermediateFileIsRefusedBeforeTheClusterIsContacted(
      String keep, String mode, String remedy) throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--mode", mode, "--keep", keep))
        .contains("--keep '", remedy);
  }
}
