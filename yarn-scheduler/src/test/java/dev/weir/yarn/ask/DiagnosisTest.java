package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiagnosisTest {

  private static final String AWAY = Diagnosis.PREFIX + "/a is away";

  @Test
  void isWrittenWhereNothingElseStands() {
    assertThat(Diagnosis.change("", AWAY)).isEqualTo(AWAY);
    assertThat(Diagnosis.change(null, AWAY)).isEqualTo(AWAY);
    assertThat(Diagnosis.change(Diagnosis.PREFIX + "/b is away", AWAY)).isEqualTo(AWAY);
  }

  @Test
  void leavesWhatYarnSays() {
    assertThat(Diagnosis.change("AM is launched", AWAY)).isNull();
    assertThat(Diagnosis.change(AWAY, AWAY)).isNull();
  }

  @Test
  void whatIsNoProblemAnyMoreIsTakenAway() {
    assertThat(Diagnosis.change(AWAY, "")).isEmpty();
    assertThat(Diagnosis.change("AM is launched", "")).isNull();
    assertThat(Diagnosis.change(null, "")).isNull();
  }
}
