package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApplicationDiagnosticsTest {

  private static final String AWAY = ApplicationDiagnostics.PREFIX + "/a is away";

  @Test
  void isWrittenWhereNothingElseStands() {
    assertThat(ApplicationDiagnostics.change("", AWAY)).isEqualTo(AWAY);
    assertThat(ApplicationDiagnostics.change(null, AWAY)).isEqualTo(AWAY);
    assertThat(ApplicationDiagnostics.change(ApplicationDiagnostics.PREFIX + "/b is away", AWAY))
        .isEqualTo(AWAY);
  }

  @Test
  void leavesWhatYarnSays() {
    assertThat(ApplicationDiagnostics.change("AM is launched", AWAY)).isNull();
    assertThat(ApplicationDiagnostics.change(AWAY, AWAY)).isNull();
  }

  @Test
  void whatIsNoProblemAnyMoreIsTakenAway() {
    assertThat(ApplicationDiagnostics.change(AWAY, "")).isEmpty();
    assertThat(ApplicationDiagnostics.change("AM is launched", "")).isNull();
    assertThat(ApplicationDiagnostics.change(null, "")).isNull();
  }
}
