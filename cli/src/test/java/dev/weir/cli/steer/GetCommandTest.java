package dev.weir.cli.steer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class GetCommandTest {

  @Test
  void fileThatTheWorkflowLacksIsAnsweredWithThoseItHas() {
    assertThat(GetCommand.noFiles("r", "wrods.txt", Set.of("words.txt", "a")))
        .isEqualTo("The workflow of r has no file 'wrods.txt' (did you mean 'words.txt'?)");
    assertThat(GetCommand.noFiles("r", "*.fits", Set.of("c", "b", "a")))
        .isEqualTo("The workflow of r has no file '*.fits': it has a, b, c");
    assertThat(GetCommand.noFiles("r", "*.fits", Set.of("a", "b", "c", "d", "e", "f")))
        .endsWith(": it has a, b, c, d, e, ...");
    assertThat(GetCommand.noFiles("r", "", Set.of("a")))
        .endsWith("give a GLOB for other files of it");
  }
}
