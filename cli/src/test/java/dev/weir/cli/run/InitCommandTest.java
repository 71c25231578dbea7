package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitCommandTest {

  @TempDir private Path temp;

  @Test
  void writesAValidWorkflowOnce() throws IOException {
    Path directory = temp.resolve("words");

    assertThat(Ran.weir("init", directory.toString()).code()).isZero();
    assertThat(Ran.weir("workflow", "check", directory.resolve("words.mf").toString()).code())
        .isZero();
    assertThat(directory.resolve("texts/one.txt")).isNotEmptyFile();

    Files.writeString(directory.resolve("words.mf"), "mine");
    Ran again = Ran.weir("init", directory.toString());
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("words.mf: is there already");
    assertThat(directory.resolve("words.mf")).hasContent("mine");
  }
}
