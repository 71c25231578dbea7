package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramLookupTest {
  @TempDir private Path bin;

  @Test
  void aProgramIsAnExecutableFile() throws IOException {
    assertThat(Files.createFile(bin.resolve("curl")).toFile().setExecutable(true)).isTrue();
    Files.createFile(bin.resolve("notes"));
    Files.createDirectory(bin.resolve("ip"));

    assertThat(ProgramLookup.missing(List.of("tc", "notes", "curl", "ip"), "/no/such::" + bin))
        .containsExactly("tc", "notes", "ip");
    assertThat(ProgramLookup.missing(List.of("curl"), "")).containsExactly("curl");
  }
}
