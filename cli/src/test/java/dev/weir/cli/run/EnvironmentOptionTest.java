package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.RetentionPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The variables of {@code weir run --env}. */
class EnvironmentOptionTest {

  @TempDir private Path directory;

  @Command
  private static final class Any {
    @Mixin private EnvironmentOption environment;
  }

  @Test
  void acceptsAnyValueUnderAValidName() {
    Any any = new Any();
    new CommandLine(any)
        .parseArgs("--env", "TOOL_VERSION=2", "--env", "_a1=b = 'c', d", "--env=EMPTY=");
    assertThat(any.environment.variables())
        .containsExactly(
            entry("TOOL_VERSION", "2"), entry("_a1", "b = 'c', d"), entry("EMPTY", ""));
  }

  @Test
  void variablesOfTheFileComeAfterThoseOfTheCommandLine() throws Exception {
    Path file = directory.resolve("variables");
    Files.writeString(file, "# tools\n\nTOOL_VERSION=1\nOTHER=a=b\n");
    Any any = new Any();
    new CommandLine(any).parseArgs("--env", "TOOL_VERSION=2", "--env-file", file.toString());
    assertThat(any.environment.variables())
        .containsExactly(entry("TOOL_VERSION", "2"), entry("OTHER", "a=b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret", "sec-ret=secret", "SAME=secret", "PWD=secret", "=secret"})
  void invalidLineIsRefusedByItsNumber(String line) throws Exception {
    Path file = Files.writeString(directory.resolve("variables"), "# tools\nSAME=x\n" + line);
    assertThat(RefusedRun.errorOf(directory, "--env-file", file.toString()))
        .contains("Cannot take --env-file " + file + ", line 3: ")
        .doesNotContain("secret", "sec-ret");
  }

  @Test
  void missingFileIsRefused() throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--env-file", directory + "/none"))
        .contains("Cannot read --env-file");
  }

  @Test
  void defaultIsEmpty() {
    Any any = new Any();
    new CommandLine(any).parseArgs();
    assertThat(any.environment.variables()).isEmpty();
  }

  @Test
  void isPartOfTheRunRequest() {
    RunCommand command = new RunCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs("flow.mf", "--env", "TOOL_VERSION=2");
    Task task = new Task("a", "t", List.of("true"), List.of(), List.of(), 1);
    Workflow workflow = new Workflow("flow", List.of(task), Map.of());
    assertThat(
            command.request(workflow, new RetentionPolicy(RetentionPolicy.BY_MODE)).environment())
        .containsExactly(entry("TOOL_VERSION", "2"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "NAME| it has no '='; write NAME=VALUE",
        "=value| it has no name; write NAME=VALUE",
        "1ST=value| the name before '=' is no name of a variable; write NAME=VALUE",
        "a-b=value| begins with no digit",
        "A =value| is no name of a variable",
        "na\u00efve=value| is no name of a variable",
        "WEIR_TASK=x| take another name",
        "SAME=x| SAME is given twice; leave one out",
      })
  void invalidVariableIsRefusedBeforeTheClusterIsContacted(String variable, String remedy)
      throws Exception {
    assertThat(RefusedRun.errorOf(directory, "--env", "SAME=y", "--env", variable))
        .contains("--env '" + variable + "'", remedy);
  }
}
