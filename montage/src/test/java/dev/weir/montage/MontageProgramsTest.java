package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MontageProgramsTest {

  @TempDir private Path directory;

  @Test
  void programsAreFoundOnThePathOnly() throws Exception {
    assertThat(directory.resolve("mAdd").toFile().createNewFile()).isTrue();
    assertThat(directory.resolve("mAdd").toFile().setExecutable(true)).isTrue();
    Files.createFile(directory.resolve("mViewer"));
    assertThat(MontagePrograms.missing(Map.of("PATH", "/nowhere:" + directory)))
        .contains("mProject", "mViewer", "mDiff")
        .doesNotContain("mAdd");
    assertThat(MontagePrograms.missing(Map.of())).contains("mAdd");
  }
}
