package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeepTest {

  @ParameterizedTest
  @CsvSource({
    "all, WEIR, true, false",
    "none, STOCK, false, false",
    "'', WEIR, false, false",
    "'', LOCALITY, true, false",
    "'', STOCK, true, false",
    "*.fits, WEIR, true, true",
    "p/a.fits, STOCK, true, true",
    "*.txt, WEIR, false, false",
    "*.txt, STOCK, false, false",
    "'*.txt, p/*', WEIR, true, true",
    "p/?.fits, WEIR, true, true",
    "a.fits, WEIR, false, false",
  })
  void ofFilesInBetweenSomeStay(String text, Mode mode, boolean stays, boolean named) {
    Keep keep = new Keep(text);

    assertThat(keep.files(mode).test("p/a.fits")).as("stays").isEqualTo(stays);
    assertThat(keep.named().test("p/a.fits")).as("is named").isEqualTo(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "*.fits,", ",a", "a,,b"})
  void whatIsBlankIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keep.parse(text))
        .withMessageContaining("--keep '" + text + "' has a blank pattern");
  }

  @Test
  void whatIsNotBlankIsTakenAsItIs() {
    assertThat(Keep.parse("*.fits, stats/*")).isEqualTo(new Keep("*.fits, stats/*"));
  }

  @Test
  void aPlanOfAnOlderClientKeepsAll() throws Exception {
    ObjectMapper json = new ObjectMapper();
    String old = "{\"keepGoing\":true,\"rerun\":\"none\",\"speculation\":true,\"ahead\":false}";

    RunChoices read = json.readValue(old, RunChoices.class);

    assertThat(read).isEqualTo(new RunChoices(true, "none", true, false, Keep.ALL));
    RunChoices now = read.withKeep("*.fits");
    assertThat(json.readValue(json.writeValueAsString(now), RunChoices.class)).isEqualTo(now);
    assertThat(now.withRerun("all").keep()).isEqualTo("*.fits");
  }
}
