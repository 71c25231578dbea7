package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class SetupTest {

  @Test
  void labelsAreThoseOfAllSetups() {
    assertThat(Setup.LABELS)
        .isEqualTo(String.join(", ", Setup.ALL.stream().map(Setup::label).toList()));
  }

  @Test
  void eachIsReadByItsLabelHoweverItIsWritten() {
    for (Setup setup : Setup.ALL) {
      assertThat(Setup.parse(setup.label())).isEqualTo(setup);
      assertThat(Setup.parse(setup.label().replace('-', '_').toUpperCase(Locale.ROOT)))
          .isEqualTo(setup);
    }
  }

  @Test
  void sharedDirectoryIsNoStockHadoop() {
    assertThat(Setup.ofLabel("shared")).isEqualTo(Setup.SHARED);
    assertThat(Setup.SHARED.isStock()).isFalse();
    assertThat(Setup.STOCK_R1.isStock()).isTrue();
    assertThat(Setup.ORDER.compare(Setup.SHARED, Setup.STOCK_R3)).isNegative();
    assertThat(Setup.ORDER.compare(Setup.CONFUGA_PUSH, Setup.CONFUGA_PULL)).isNegative();
  }

  @Test
  void aWrongOneIsAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> new Setup.Converter().convert("stock"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'stock'")
        .hasMessageContaining("stock-r3,stock-r1,dispatch-r3,dispatch-r1,weir");
  }

  @Test
  void setupsOfOtherExperimentsAreRefused() {
    assertThat(Setup.parse("confuga-pull", Setup.CONFUGA)).isEqualTo(Setup.CONFUGA_PULL);
    assertThatThrownBy(() -> Setup.parse("confuga-pull", List.of(Setup.SHARED)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("write some of shared,stock-r3,");
  }

  @Test
  void oneThatMakesMoreReplicasThanThereAreNodesIsRefused() throws SeriesException {
    Setup.requireNodes(List.of(Setup.STOCK_R1), 1);
    Setup.requireNodes(List.of(Setup.WEIR), 3);
    assertThatThrownBy(() -> Setup.requireNodes(List.of(Setup.STOCK_R1, Setup.STOCK_R3), 2))
        .isInstanceOf(SeriesException.class)
        .hasMessageContaining("stock-r3 makes 3 replicas, and there are 2 nodes");
  }
}
