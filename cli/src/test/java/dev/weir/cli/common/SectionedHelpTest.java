package dev.weir.cli.common;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Weir;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class SectionedHelpTest {

  /** A reader finds an option in an alphabetical list of this length. */
  private static final int WITHOUT_SECTIONS = 12;

  @Test
  void theOptionsOfRunAreInFiveSections() {
    assertThat(SectionedHelp.sections(spec("run")))
        .containsOnlyKeys(
            "What to run", "Where", "Resources", "Data", "Tuning", SectionedHelp.OTHER);
  }

  @TestFactory
  Stream<DynamicTest> eachOptionOfALargeCommandIsInOneSection() {
    return commands(Weir.commandLine())
        .map(CommandLine::getCommandSpec)
        .filter(command -> command.options().size() > WITHOUT_SECTIONS)
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.qualifiedName(),
                    () -> {
                      Map<String, List<OptionSpec>> sections = SectionedHelp.sections(command);
                      assertThat(sections.values().stream().flatMap(List::stream))
                          .containsExactlyInAnyOrderElementsOf(command.options());
                      assertThat(sections.get(SectionedHelp.OTHER))
                          .extracting(OptionSpec::longestName)
                          .containsExactlyInAnyOrder("--help", "--version", "--verbose");
                      assertThat(command.commandLine().getUsageMessage().lines())
                          .containsAll(
                              sections.keySet().stream().map(heading -> heading + ":").toList())
                          .allMatch(line -> line.length() <= 80);
                    }));
  }

  @Test
  void smallCommandsHaveOneList() {
    assertThat(spec("status").commandLine().getUsageMessage())
        .contains("--watch")
        .doesNotContain(SectionedHelp.OTHER + ":");
  }

  private static CommandSpec spec(String command) {
    return requireNonNull(Weir.commandLine().getSubcommands().get(command)).getCommandSpec();
  }

  private static Stream<CommandLine> commands(CommandLine root) {
    return Stream.concat(
        Stream.of(root),
        root.getSubcommands().values().stream().flatMap(SectionedHelpTest::commands));
  }
}
