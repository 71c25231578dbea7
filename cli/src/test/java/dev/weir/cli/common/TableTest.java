package dev.weir.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TableTest {
  @Test
  void columnsFitTheirContentAndNumbersAreRightAligned() {
    Table table = new Table("NAME", "N#", "").row("a", 1000, "x").row("grün𝄞", 1, "");
    assertThat(table.toString().lines())
        .containsExactly("NAME      N", "a      1000  x", "grün𝄞     1");
    assertThat(new Table("A").isEmpty()).isTrue();
    assertThat(new Table("A", "B").row("x\ny", 1).toString().lines())
        .as("a row is a line")
        .containsExactly("A     B", "x\\ny  1");
    assertThatThrownBy(() -> table.row("a")).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0 B",
    "999,999 B",
    "1000,1.0 kB",
    "999949,999.9 kB",
    "999950,1.0 MB",
    "134217728,134.2 MB",
    "9223372036854775807,9223.4 PB"
  })
  void sizesHaveTheUnitThatFits(long bytes, String text) {
    assertThat(Sizes.of(bytes)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({"500ms,PT0.5S", "90s,PT90S", "30m,PT30M", "12H,PT12H", "2d,PT48H", "PT1H30M,PT1H30M"})
  void timesAreReadInBothForms(String text, Duration time) {
    assertThat(new TimeSpanConverter().convert(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "12", "h", "0s", "-1h", "PT-1H", "1w"})
  void invalidTimeIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> new TimeSpanConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is no time; write");
  }

  @Test
  void jsonIsIndented() throws Exception {
    assertThat(Json.pretty(Json.parse("{\"a\":[1,{}],\"b\":[]}")).lines())
        .containsExactly("{", "  \"a\": [", "    1,", "    {}", "  ],", "  \"b\": []", "}");
  }
}
