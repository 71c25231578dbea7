package dev.weir.bench.measure;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.series.SeriesException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExperimentRequirementsTest {
  @Test
  void reportsAllProblemsWithRemedies() {
    assertThatThrownBy(
            () ->
                new ExperimentRequirements(
                        List.of("blastn", "makeblastdb"), "apt-get install ncbi-blast+")
                    .check(List.of("Links need root: run as root")))
        .isInstanceOf(SeriesException.class)
        .hasMessage(
            "Links need root: run as root. Programs that are not on the PATH: blastn, makeblastdb."
                + " Install them: apt-get install ncbi-blast+");
  }

  @Test
  void acceptsAMachineWithoutProblems() {
    assertThatCode(() -> ExperimentRequirements.LINKS.check(List.of())).doesNotThrowAnyException();
  }
}
