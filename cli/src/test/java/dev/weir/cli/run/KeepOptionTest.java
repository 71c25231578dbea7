package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A mistyped {@code --keep} deletes nothing. */
class KeepOptionTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "right.txt, weir, such as 'left.txt'",
    "right.txt, stock, such as 'left.txt'",
    "'left.txt,all', locality, give it alone",
    "'left.txt,', weir, has a blank pattern",
  })
  void whatNamesNoFileInBetweenIsRefusedBeforeAnythingIsAskedOfTheCluster(
      String keep, String mode, String remedy) throws Exception {
    Path file = directory.resolve("flow.mf");
    Files.writeString(file, "left.txt: in.txt\n\tsplit\nleft.out: left.txt\n\tcount\n");
    StringWriter errors = new StringWriter();
    CommandLine weir = Weir.commandLine().setErr(new PrintWriter(errors));

    int code = weir.execute("run", file.toString(), "--mode", mode, "--keep", keep);

    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("--keep '").contains(remedy);
  }
}
