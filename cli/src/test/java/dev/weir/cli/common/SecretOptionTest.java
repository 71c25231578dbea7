package dev.weir.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class SecretOptionTest {

  @Command
  private static final class Any {
    @Mixin private SecretOption secret;
  }

  private static SecretOption parsed(String... arguments) {
    Any any = new Any();
    new CommandLine(any).parseArgs(arguments);
    return any.secret;
  }

  @Test
  void takesItsValueFromTheEnvironment() {
    SecretOption option = parsed("--secret", "KEY");

    assertThat(option.values(Map.of("KEY", "value", "OTHER", "x")).resolve(option.beside(Map.of())))
        .isEqualTo(Map.of("KEY", "value"));
  }

  @Test
  void unsetVariableIsRefused() {
    assertThatThrownBy(() -> parsed("--secret", "KEY").values(Map.of()))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining("KEY is not set here");
  }

  @Test
  void duplicateVariableIsRefused() {
    assertThatThrownBy(() -> parsed("--secret", "KEY").beside(Map.of("KEY", "plain")))
        .hasMessageContaining("KEY is given twice");
    assertThatThrownBy(() -> parsed("--secret", "KEY", "--secret", "KEY").beside(Map.of()))
        .hasMessageContaining("KEY is given twice");
    assertThat(parsed().beside(Map.of("A", "a"))).isEqualTo(Map.of("A", "a"));
  }
}
