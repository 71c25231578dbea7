package dev.weir.workflow.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {

  @Test
  void printableNamesAreUnchanged() {
    for (String name : new String[] {"", "a b", "d'é\"\\", "λ 𝄞", "👩\u200d🔬", "it's <b>"}) {
      assertThat(PrintableText.of(name)).isEqualTo(name);
    }
  }

  @Test
  void controlAndDirectionCharactersAreEscaped() {
    assertThat(PrintableText.of("a\nb\r\tc\u001b[2J")).isEqualTo("a\\nb\\r\\tc\\u001b[2J");
    assertThat(PrintableText.of("x\u202etxt.exe")).isEqualTo("x\\u202etxt.exe");
    assertThat(PrintableText.of("\u2028\u0085\ud800")).isEqualTo("\\u2028\\u0085\\ud800");
  }

  @Test
  void coloursAreRemovedFromOutput() {
    assertThat(PrintableText.printed("\u001b[1;31merror:\u001b[0m\tno file\u0007"))
        .isEqualTo("error:    no file\\u0007");
  }
}
