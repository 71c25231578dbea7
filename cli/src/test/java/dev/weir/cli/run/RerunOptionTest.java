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

/** A mistyped {@code --rerun} does not leave undone what was to be done again. */
class RerunOptionTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "'', --rerun is blank",
    "'split,', has a blank pattern",
    "nosuch, 'names no task of the workflow by its id or type: there are the types count, split'",
    "'split,nosuch', --rerun 'nosuch' names no task",
    "SPLIT*, --rerun 'SPLIT*' names no task",
    "'split,all', has 'all' among others",
  })
  void whatNamesNoTaskIsRefusedBeforeAnythingIsAskedOfTheCluster(String rerun, String said)
      throws Exception {
    Path file = directory.resolve("flow.mf");
    Files.writeString(file, "left.txt: in.txt\n\tsplit\nleft.out: left.txt\n\tcount\n");
    StringWriter errors = new StringWriter();
    CommandLine weir = Weir.commandLine().setErr(new PrintWriter(errors));

    int code = weir.execute("run", file.toString(), "--rerun", rerun);

    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains(said);
  }
}
