package dev.weir.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiagnosisTest {

  @Test
  void isWrittenWhereNothingElseStands() {
    assertThat(Diagnosis.change("", "/a is away")).isEqualTo(Diagnosis.PREFIX + "/a is away");
    assertThat(Diagnosis.change(null, "/a is away")).isEqualTo(Diagnosis.PREFIX + "/a is away");
    assertThat(Diagnosis.change(Diagnosis.PREFIX + "/b is away", "/a is away"))
        .isEqualTo(Diagnosis.PREFIX + "/a is away");
  }

  @Test
  void leavesWhatYarnSays() {
    assertThat(Diagnosis.change("AM is launched", "/a is away")).isNull();
    assertThat(Diagnosis.change(Diagnosis.PREFIX + "/a is away", "/a is away")).isNull();
  }

  @Test
  void whatIsNoProblemAnyMoreIsTakenAway() {
    assertThat(Diagnosis.change(Diagnosis.PREFIX + "/a is away", "")).isEmpty();
    assertThat(Diagnosis.change("AM is launched", "")).isNull();
    assertThat(Diagnosis.change(null, "")).isNull();
  }
}
