package dev.weir.cli.gather;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What needs no cluster; {@code GatherIT} has the rest. */
class GatherCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void aFileSystemThatIsNotHdfsIsRefusedInOneLine() {
    assertThat(run("gather", "begin", folder.toUri() + "x", "--region", "1m")).isEqualTo(2);
    assertThat(err.toString()).contains("file:/", "is no HDFS").hasLineCount(1);
    assertThat(out.toString()).isEmpty();
    assertThat(run("gather", "sweep", folder.toUri().toString())).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "gather begin /x --region 0, a region of 0 bytes",
    "gather begin /x --region much, size",
    "gather begin /x --region 1m --regions 10001, 10001 regions cannot be",
    "gather begin /x, --region",
    "gather begin /x --region 1m --expires never, is no time",
    "gather write /x first, first",
  })
  void wrongUsageIsToldWithItsRemedy(String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  private int run(String... words) {
    CommandLine weir = Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return weir.execute(words);
  }
}
