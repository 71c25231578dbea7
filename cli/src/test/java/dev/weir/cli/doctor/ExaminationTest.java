package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.doctor.Finding.Level;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExaminationTest {
  private static Check check(Finding finding) {
    return new Check() {
      @Override
      public String subject() {
        return finding.subject();
      }

      @Override
      public List<Finding> examine() throws IOException {
        if (finding.level() == Level.UNKNOWN) {
          throw new IOException(finding.text());
        }
        return List.of(finding);
      }
    };
  }

  @Test
  void unavailablePartDoesNotStopLaterChecks() {
    Examination examination =
        Examination.of(
            List.of(
                check(Finding.unknown("RM", "no route\nto host", "")),
                check(Finding.wrong("NN", "is stock", "set it"))));

    assertThat(examination.findings())
        .extracting(Finding::text)
        .containsExactly("could not be asked: no route", "is stock");
    assertThat(examination.isAnythingWrong()).isTrue();
    assertThat(examination.words().lines())
        .contains("wrong    NN    is stock", "What to do:", "- NN: set it");
    assertThat(examination.json().path("findings").path(1).path("level").asText())
        .isEqualTo("wrong");
  }

  @Test
  void notesAreNoFaults() {
    Examination examination =
        Examination.of(
            List.of(check(Finding.note("DN", "x", "y")), check(Finding.fine("NN", "z"))));
    assertThat(examination.isAnythingWrong()).isFalse();
  }
}
