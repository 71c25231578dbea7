package dev.weir.workflow.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UndeclaredFilesTest {

  @TempDir private Path temp;

  private String insteadOfResult(String... files) throws IOException {
    Sandbox sandbox = Sandbox.create(temp, "one");
    for (String file : files) {
      Files.writeString(sandbox.fileToCreate(file), "text");
    }
    return UndeclaredFiles.in(sandbox, Set.of("in.txt", "result.txt")).insteadOf("result.txt");
  }

  @Test
  void similarNameIsSuggested() throws IOException {
    assertThat(insteadOfResult("in.txt", "a", "reslt.txt"))
        .isEqualTo("'reslt.txt' (4 bytes), 'a' (4 bytes) (did you mean 'reslt.txt'?)");
  }

  @Test
  void otherFilesAreListed() throws IOException {
    assertThat(insteadOfResult("in.txt")).isEqualTo("no other file");
    assertThat(insteadOfResult("d/f")).isEqualTo("'d/f' (4 bytes)");
    assertThat(insteadOfResult("1", "2", "3", "4", "5", "6", "7"))
        .endsWith("'5' (4 bytes) and 2 more");
  }
}
