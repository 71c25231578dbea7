package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaImageTest {
  @TempDir private Path folder;

  @Test
  void makesARuntimeOnceThatRuns() throws Exception {
    JavaImage image = new JavaImage(Path.of(System.getProperty("java.home")), folder);
    Path archive = image.make();
    FileTime made = Files.getLastModifiedTime(archive);
    assertThat(image.make()).isEqualTo(archive);
    assertThat(Files.getLastModifiedTime(archive)).isEqualTo(made);
    assertThat(folder).isDirectoryNotContaining("glob:**image*");

    Path unpacked = Files.createDirectory(folder.resolve("unpacked"));
    assertThat(exit("tar", "-C", unpacked.toString(), "-xzf", archive.toString())).isZero();
    assertThat(exit(unpacked.resolve("bin/java").toString(), "-version")).isZero();
  }

  @Test
  void aRuntimeWithoutJlinkIsReported() {
    assertThatThrownBy(() -> new JavaImage(folder, folder.resolve("cache")).make())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has no jlink")
        .hasMessageContaining("weir.java.archive");
  }

  private static int exit(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
