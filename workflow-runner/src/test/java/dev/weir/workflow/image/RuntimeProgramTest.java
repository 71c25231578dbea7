package dev.weir.workflow.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Calls of a program, here the shell. */
class RuntimeProgramTest {
  private final RuntimeProgram shell =
      new RuntimeProgram(ContainerRuntime.PODMAN, Path.of("/bin/sh"), Map.of("PATH", "/bin"));

  @Test
  void returnsTheOutput() throws Exception {
    assertThat(shell.call("-c", "echo; echo out; echo err >&2")).isEqualTo("out\nerr");
  }

  @Test
  void namesTheLastLineOfAnError() {
    assertThatExceptionOfType(RuntimeProgram.CallFailedException.class)
        .isThrownBy(() -> shell.call("-c", "echo first; echo last; exit 3"))
        .withMessage("sh -c exited with 3: last");
  }

  @Test
  void endsAProgramThatDoesNotAnswer() {
    assertThatExceptionOfType(RuntimeProgram.CallFailedException.class)
        .isThrownBy(() -> shell.call(Duration.ofMillis(1), "-c", "exec sleep 1000"))
        .withMessage("sh -c did not end in 0 s");
  }
}
