package dev.weir.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class WeirTest {
  private static final Set<String> WHOLE = Set.of("help", "completion");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine weir =
      Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @TestFactory
  Stream<DynamicTest> everyCommandExplainsItselfWithAnExample() {
    return tree(weir)
        .filter(command -> !(command.getCommand() instanceof CommandLine.HelpCommand))
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.getCommandSpec().qualifiedName(),
                    () -> {
                      String usage = command.getUsageMessage(CommandLine.Help.Ansi.OFF);
                      assertThat(command.getCommandSpec().usageMessage().description())
                          .as("description")
                          .isNotEmpty();
                      assertThat(usage).contains("Example");
                      assertThat(command.getCommandSpec().findOption("--help")).isNotNull();
                    }));
  }

  @Test
  void mistypedCommandGetsASuggestion() {
    assertThat(weir.execute("rnu")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("weir: weir has no command 'rnu' (did you mean 'run'?)");
  }

  @ParameterizedTest
  @CsvSource({"run, --wrokers, --workers", "status, --wach, --watch"})
  void mistypedOptionGetsASuggestion(String command, String typed, String meant) {
    assertThat(weir.execute(command, "word", typed)).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "weir: Unknown option: '" + typed + "' (did you mean '" + meant + "'?)");
  }

  @Test
  void unknownOptionOfOneLetterGetsNoSuggestion() {
    assertThat(weir.execute("status", "last", "-x")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("weir: Unknown option: '-x' (see 'weir help status')");
  }

  @Test
  void unknownCommandIsWrongUsage() {
    assertThat(weir.execute("no-such-command")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "weir: weir has no command 'no-such-command': see 'weir --help'");
  }

  @ParameterizedTest
  @CsvSource({
    "status last --no-such-option, weir help status",
    "hints infer flow.json --no-such-option, weir hints infer --help",
  })
  void wrongUsageIsOneLineThatNamesTheHelp(String line, String help) {
    assertThat(weir.execute(line.split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("weir: ")
        .contains("--no-such-option", "(see '" + help + "')")
        .doesNotContain("Usage:");
  }

  @Test
  void subcommandsAreListedIfNoneIsGiven() {
    assertThat(weir.execute("hints")).isEqualTo(2);
    assertThat(err.toString()).contains("Usage: weir hints", "infer");
  }

  @Test
  void onlyTheNamedCommandIsBuilt() {
    weir.getSubcommands()
        .forEach(
            (name, command) -> {
              // Aliases and mistyped names get the whole tree.
              if (name.equals(command.getCommandName()) && !WHOLE.contains(name)) {
                CommandLine only = Weir.commandLineFor(name, "x");
                assertThat(Set.copyOf(only.getSubcommands().values())).as(name).hasSize(2);
                assertThat(usage(only, name))
                    .isEqualTo(usage(weir, name))
                    .startsWith("Usage: weir ");
              }
            });
  }

  private static String usage(CommandLine root, String name) {
    return requireNonNull(root.getSubcommands().get(name)).getUsageMessage();
  }

  @Test
  void otherCommandLinesBuildAllCommands() {
    for (List<String> line : List.of(List.<String>of(), List.of("-h"), List.of("completion"))) {
      assertThat(Weir.commandLineFor(line.toArray(new String[0])).getSubcommands())
          .containsOnlyKeys(weir.getSubcommands().keySet());
    }
  }

  @Test
  void versionIsAlsoACommand() {
    assertThat(weir.execute("version")).isZero();
    assertThat(out.toString()).contains("weir ", "Hadoop ", "Java ");
  }

  @Test
  void completionScriptCompletesNamesAndWordsOfHints(@TempDir Path folder) throws Exception {
    assertThat(weir.execute("completion")).isZero();
    Path script = Files.writeString(folder.resolve("weir.sh"), out.toString());
    String test =
        "source "
            + script
            + "; weir() { [ $1 = runs ] && printf 'RUN X\\napplication_1_0007 w\\n'"
            + " || printf 'TASK X\\nmake-1 t\\n'; }"
            + "; words() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _weir_names"
            + "; echo ${COMPREPLY[@]}; }"
            + "; words weir status ''; words weir logs last ma; words weir hints set /a br"
            + "; words weir log";
    Process bash = new ProcessBuilder("bash", "-c", test).redirectErrorStream(true).start();

    assertThat(new String(bash.getInputStream().readAllBytes(), Charset.defaultCharset()).lines())
        .containsExactly("last application_1_0007", "make-1", "broadcast", "logs");
  }

  @Test
  void completionScriptNamesEverySubcommand() {
    assertThat(weir.execute("completion")).isZero();
    assertThat(weir.getSubcommands().keySet())
        .allSatisfy(name -> assertThat(out.toString()).contains(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"completion", "--version", "--help", "help hints", "runs --help", "no-command"})
  void failureToPrintIsAFailure(String line) throws IOException {
    try (OutputStream full = new FileOutputStream("/dev/full")) {
      weir.setOut(StandardOutput.writer(full));
      assertThat(weir.execute(line.split(" "))).isNotZero();
    }
    assertThat(err.toString())
        .contains(line.equals("no-command") ? "no-command" : "could not be written to the end");
  }

  @Test
  void closedPipeIsNoError() {
    OutputStream gone =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    weir.setOut(StandardOutput.writer(gone));

    assertThat(weir.execute("completion")).isZero();
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void outputIsPrintedUnchanged() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    weir.setOut(StandardOutput.writer(printed));

    assertThat(weir.execute("completion")).isZero();
    assertThat(printed.toString(Charset.defaultCharset())).startsWith("#!").endsWith("\n");
  }

  @Test
  void stackTraceIsPrintedOnRequest() {
    assertThat(weir.execute("job", "submit", "/nosuch")).isEqualTo(1);
    assertThat(err.toString()).startsWith("weir: /nosuch: ").hasLineCount(1);

    assertThat(weir.execute("job", "submit", "/nosuch", "--verbose")).isEqualTo(1);
    assertThat(err.toString()).contains("NoSuchFileException: /nosuch", "\tat ");
  }

  @Test
  void interruptionPrintsNoMessage() {
    assertThat(weir.execute("job", "submit", "/nosuch")).isNotZero();
    assertThat(err.toString()).contains("/nosuch: no such file");

    StringWriter ended = new StringWriter();
    Weir.commandLine(() -> true).setErr(new PrintWriter(ended)).execute("job", "submit", "/nosuch");
    assertThat(ended.toString()).isEmpty();
  }

  private static Stream<CommandLine> tree(CommandLine root) {
    List<CommandLine> all = new ArrayList<>();
    all.add(root);
    root.getSubcommands().values().forEach(child -> tree(child).forEach(all::add));
    return all.stream().distinct();
  }

  /** A list of commands shows the first line of each description, which must be a sentence. */
  @Test
  void theFirstLineOfEachDescriptionIsASentence() {
    assertSentences(Weir.commandLine());
  }

  private static void assertSentences(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    if (description.length > 0) {
      assertThat(description[0]).as(command.getCommandName()).endsWith(".");
    }
    command.getSubcommands().values().forEach(WeirTest::assertSentences);
  }
}
