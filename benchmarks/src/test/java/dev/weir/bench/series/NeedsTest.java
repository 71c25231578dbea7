package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NeedsTest {
  @Test
  void allThatIsMissingIsToldAtOnceWithItsRemedies() {
    assertThatThrownBy(
            () ->
                Needs.require(
                    List.of("Links need root: run as root"),
                    List.of("blastn", "makeblastdb"),
                    "apt-get install ncbi-blast+"))
        .isInstanceOf(SeriesException.class)
        .hasMessage(
            "Links need root: run as root. Programs that are not on the PATH: blastn, makeblastdb."
                + " Install them: apt-get install ncbi-blast+");
  }

  @Test
  void withEverythingThereNothingIsSaid() {
    assertThatCode(() -> Needs.require(List.of(), List.of(), "")).doesNotThrowAnyException();
  }
}
