package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class SetupTest {

  @Test
  void eachIsReadByItsLabelHoweverItIsWritten() {
    for (Setup setup : Setup.ALL) {
      assertThat(Setup.parse(setup.label())).isEqualTo(setup);
      assertThat(Setup.parse(setup.label().replace('-', '_').toUpperCase(java.util.Locale.ROOT)))
          .isEqualTo(setup);
    }
  }

  @Test
  void aWrongOneIsAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> new Setup.Converter().convert("stock"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'stock'")
        .hasMessageContaining("stock-r3,stock-r1,dispatch-r3,dispatch-r1,weir");
  }
}
