package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.blast.BlastCommand;
import dev.weir.bench.morph.MorphCommand;
import dev.weir.bench.mosaic.MontageCommand;
import dev.weir.bench.patterns.PatternsCommand;
import dev.weir.bench.traces.TracesCommand;
import dev.weir.bench.wow.WowCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of experiments that run for hours says how to resume them. */
class HelpTest {
  private static final String EXAMPLE = "  weir bench ";

  static Stream<Object> commands() {
    return Stream.of(
        new PatternsCommand(),
        new TracesCommand(),
        new MontageCommand(),
        new BlastCommand(),
        new WowCommand(),
        new MorphCommand());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void tellsHowASeriesIsMadeInSeveralSittings(Object command) {
    String help = new CommandLine(command).getUsageMessage();

    assertThat(help)
        .contains("--resume", "--minutes=N", "--run-minutes=N", "--out=", "--repeat=", "sessions")
        .contains("Examples:");
    List<String> examples = help.lines().filter(line -> line.startsWith(EXAMPLE)).toList();
    assertThat(examples).anyMatch(line -> line.endsWith(" --resume"));
    assertThat(help.substring(help.indexOf(EXAMPLE)).lines())
        .as("none is too long for its line")
        .allMatch(line -> line.startsWith(EXAMPLE));
    assertThat(help).as("picocli formats it").doesNotContain("%%");
    String name = new CommandLine(command).getCommandName();
    assertThat(help.replaceAll("\\s+", " "))
        .as("two experiments do not meet in one directory")
        .contains("(default: weir-bench/" + name + ")");
    CommandLine line = new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true);
    line.parseArgs(command instanceof TracesCommand ? new String[] {"DIR"} : new String[0]);
    assertThat(line.getCommandSpec().findOption("--out").<Path>getValue())
        .isEqualTo(Path.of("weir-bench", name));
  }
}
