package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApplicationDiagnosticsTest {

  private static final String PROBLEM = ApplicationDiagnostics.PREFIX + "/a is away";

  @Test
  void replacesEmptyAndOwnDiagnostics() {
    assertThat(ApplicationDiagnostics.change("", PROBLEM)).isEqualTo(PROBLEM);
    assertThat(ApplicationDiagnostics.change(null, PROBLEM)).isEqualTo(PROBLEM);
    assertThat(ApplicationDiagnostics.change(ApplicationDiagnostics.PREFIX + "/b is away", PROBLEM))
        .isEqualTo(PROBLEM);
  }

  @Test
  void keepsDiagnosticsOfYarn() {
    assertThat(ApplicationDiagnostics.change("AM is launched", PROBLEM)).isNull();
    assertThat(ApplicationDiagnostics.change(PROBLEM, PROBLEM)).isNull();
  }

  @Test
  void clearsSolvedProblems() {
    assertThat(ApplicationDiagnostics.change(PROBLEM, "")).isEmpty();
    assertThat(ApplicationDiagnostics.change("AM is launched", "")).isNull();
    assertThat(ApplicationDiagnostics.change(null, "")).isNull();
  }
}
