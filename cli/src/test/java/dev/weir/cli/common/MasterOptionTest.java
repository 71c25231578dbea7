package dev.weir.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code --master-memory} of {@code weir run} and {@code weir pool start}. */
class MasterOptionTest {

  @TempDir private Path directory;
  private final StringWriter errors = new StringWriter();

  private int weir(String... arguments) {
    return Weir.commandLine().setErr(new PrintWriter(errors)).execute(arguments);
  }

  @Test
  void tooLittleIsRefusedBeforeAnythingIsAskedOfTheCluster() throws Exception {
    Path file = directory.resolve("flow.mf");
    Files.writeString(file, "out.txt: in.txt\n\tcount\n");
    assertThat(weir("run", file.toString(), "--master-memory", "511"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("give it 512 or more with --master-memory");
  }

  @Test
  void aPoolsToo() {
    assertThat(weir("pool", "start", "--master-memory", "511"))
        .isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("give it 512 or more with --master-memory");
  }
}
