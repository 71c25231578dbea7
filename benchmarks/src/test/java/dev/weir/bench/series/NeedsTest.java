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
                new Needs(List.of("blastn", "makeblastdb"), "apt-get install ncbi-blast+")
                    .check(List.of("Links need root: run as root")))
        .isInstanceOf(SeriesException.class)
        .hasMessage(
            "Links need root: run as root. Programs that are not on the PATH: blastn, makeblastdb."
                + " Install them: apt-get install ncbi-blast+");
  }

  @Test
  void withEverythingThereNothingIsSaid() {
    assertThatCode(() -> Needs.LINKS.check(List.of())).doesNotThrowAnyException();
  }
}
