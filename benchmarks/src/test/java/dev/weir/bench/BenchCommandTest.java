package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Errors are reported as messages, before a cluster starts. */
class BenchCommandTest {
  @TempDir private Path out;
  @TempDir private Path emptyPath;

  private final StringWriter err = new StringWriter();

  private int bench(String... args) {
    CommandLine bench = BenchCommand.commandLine();
    bench.setErr(new PrintWriter(err, true));
    bench.setOut(new PrintWriter(err, true));
    return bench.execute(args);
  }

  @Test
  void listsExperimentsWithoutAName() {
    assertThat(bench()).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "patterns", "traces", "montage", "blast", "wow", "clouds", "morph", "griddb", "--help");
  }

  @Test
  void unknownExperimentIsRefused() {
    assertThat(bench("paterns")).isEqualTo(2);
    assertThat(err.toString()).contains("paterns", "patterns");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "--link fast, 2, 'fast'",
        "--minutes -1, 2, --minutes",
        "--link unlimited, 2, --scale",
        "--scale NaN, 2, --scale",
        "--repeat 0, 2, --repeat",
        "--variants waves --patterns scatter, 2, nothing to run",
        "--variants tides, 2, \"plain,waves,slow-writer\"",
      })
  void invalidOptionsAreRefusedInOneLine(String options, int code, String output) {
    List<String> args = new ArrayList<>(List.of("patterns", "--out", out.resolve("o").toString()));
    args.addAll(List.of(options.split(" ")));

    assertThat(bench(args.toArray(String[]::new))).isEqualTo(code);
    assertThat(err.toString()).contains(output).doesNotContain("\tat ");
    assertThat(out).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "blast --processes 0, --processes",
    "traces --seconds 0 ., --seconds",
    "traces --scale NaN ., --scale",
    "traces --time-scale -1 ., --time-scale",
    "wow --seconds 0, --seconds",
    "wow --workflows tree, no workflow 'tree'",
    "wow --setups nfs, no setup 'nfs'",
    "clouds --share 0, --share",
    "clouds --workflows tree, tree",
    "clouds --setups nfs, no setup 'nfs'",
    "morph --setups nfs, no setup 'nfs'",
    "morph --workloads web, no workload 'web'",
    "morph --disk fast, 'fast'",
    "morph --nodes 3, mirror-4",
    "morph --budgets 0.5, --budgets",
    "morph --repeat 0, --repeat",
    "griddb --images 0, --images",
    "griddb --nodes 0, --nodes"
  })
  void invalidOptionsOfOtherExperimentsAreRefused(String options, String output) {
    assertThat(bench(options.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(output).doesNotContain("\tat ");
  }

  @Test
  void verbosePrintsAStackTrace() {
    assertThat(bench("patterns", "--minutes", "-1", "--verbose")).isEqualTo(2);
    assertThat(err.toString()).contains("--minutes", "\tat ");
  }

  /**
   * Runs in a process without programs on its PATH, because the user of the tests may be root and
   * have all of them.
   */
  @ParameterizedTest
  @CsvSource({
    "patterns, curl",
    "blast, makeblastdb",
    "montage, mProject",
    "wow, sshfs",
    "clouds, rclone",
    "morph, losetup"
  })
  void missingRequirementsAreReportedFirst(String experiment, String program) throws Exception {
    Path output = emptyPath.resolve("output");
    ProcessBuilder bench =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BenchCommand.class.getName(),
                experiment,
                "--out",
                out.resolve("o").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    bench.environment().put("PATH", emptyPath.toString());

    int code = bench.start().waitFor();

    assertThat(output)
        .content()
        .containsPattern(
            "(need root|Program ip is missing).* Programs that are not on the PATH: .*" + program)
        .doesNotContain("leave --link out");
    assertThat(code).isEqualTo(2);
    assertThat(out).isEmptyDirectory();
  }
}
