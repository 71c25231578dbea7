package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.staging.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoFilesTest {

  @TempDir private Path directory;

  @Test
  void oldResultsAreDeletedAndOtherFilesStay() throws Exception {
    DemoFiles files = new DemoFiles(directory);
    Files.createDirectories(files.mosaic(Mode.WEIR).resolveSibling(""));
    Files.writeString(files.mosaic(Mode.WEIR), "old");
    Files.writeString(files.summary(), "old");
    Files.writeString(directory.resolve("notes.txt"), "mine");
    files.prepare();
    assertThat(files.mosaic(Mode.WEIR)).doesNotExist();
    assertThat(files.summary()).doesNotExist();
    assertThat(files.survey()).isEmptyDirectory();
    assertThat(directory.resolve("notes.txt")).hasContent("mine");
  }
}
