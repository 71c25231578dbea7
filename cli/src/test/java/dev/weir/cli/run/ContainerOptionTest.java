package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerOptionTest {

  @TempDir private Path directory;

  @Test
  void whatIsNoImageIsRefusedBeforeTheClusterIsContacted() throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--container", "a b"))
        .contains("The container image 'a b' is invalid", "docker://debian:12");
  }
}
