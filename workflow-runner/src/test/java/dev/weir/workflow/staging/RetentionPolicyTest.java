package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionPolicyTest {

  @ParameterizedTest
  @CsvSource({
    "all, WEIR, true, false",
    "none, STOCK, false, false",
    "'', WEIR, true, false",
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
  void keepsSelectedIntermediateFiles(String text, Mode mode, boolean stays, boolean named) {
    RetentionPolicy keep = new RetentionPolicy(text);

    assertThat(keep.files(mode).test(new DataFile("p/a.fits", 1))).as("stays").isEqualTo(stays);
    assertThat(keep.named().test("p/a.fits")).as("is named").isEqualTo(named);
  }

  @ParameterizedTest
  @CsvSource({
    "temporary, WEIR, false",
    "'broadcast=4,temporary', WEIR, false",
    "temporary=12h, WEIR, true",
    "keep, WEIR, true",
    "temporary, LOCALITY, true",
  })
  void deletesTemporaryFilesByDefault(String hint, Mode mode, boolean stays) {
    DataFile file = new DataFile("a", 1, hint);
    assertThat(new RetentionPolicy(RetentionPolicy.BY_MODE).files(mode).test(file))
        .isEqualTo(stays);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "*.fits,", ",a", "a,,b"})
  void blankPatternsAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetentionPolicy.parse(text))
        .withMessageContaining("--keep '" + text + "' has a blank pattern");
  }

  /** in → a → p/a.fits → b → end. */
  private static Workflow chain() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List.of("in", "p/a.fits", "end").forEach(id -> files.put(id, new DataFile(id, 1)));
    return new Workflow(
        "w",
        List.of(
            new Task("a", "a", List.of("run"), List.of("in"), List.of("p/a.fits"), 1),
            new Task("b", "b", List.of("run"), List.of("p/a.fits"), List.of("end"), 1)),
        files);
  }

  @ParameterizedTest
  @CsvSource({
    "all, all",
    "none, none",
    "*.fits, *.fits",
    "/p//a.fits, p/a.fits",
    "'*.fits, ./p/?.fits', '*.fits,p/?.fits'",
  })
  void patternsAreNormalizedLikeIds(String text, String taken) {
    assertThat(RetentionPolicy.parse(text).checked(chain())).isEqualTo(new RetentionPolicy(taken));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "*.fit | --keep '*.fit' matches no intermediate file of the workflow | as 'p/a.fits'",
        "end | --keep 'end' matches no intermediate file | results",
        "in | --keep 'in' matches no intermediate file | results",
        "ALL | --keep 'ALL' matches no intermediate file | such as 'p/a.fits'",
        "*.fits,x | --keep 'x' matches no intermediate file | such as 'p/a.fits'",
        "/data/p/a.fits | --keep '/data/p/a.fits' matches no intermediate file | without the data directory",
        "*.fits,all | has 'all' among others | give it alone",
        "none, *.fits | has 'none' among others | give it alone",
        "../a.fits | leaves the data directory | without '..'",
      })
  void patternsWithoutMatchAreRefused(String text, String problem, String remedy) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RetentionPolicy.parse(text).checked(chain()))
        .withMessageContaining(problem)
        .withMessageContaining(remedy);
  }

  @Test
  void patternsAreRefusedWithoutIntermediateFiles() {
    Workflow one =
        new Workflow(
            "w",
            List.of(new Task("a", "a", List.of("run"), List.of(), List.of("end"), 1)),
            Map.of("end", new DataFile("end", 1)));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetentionPolicy("*").checked(one))
        .withMessageContaining("there is no such file, so omit it");
    assertThat(new RetentionPolicy(RetentionPolicy.ALL).checked(one))
        .isEqualTo(new RetentionPolicy(RetentionPolicy.ALL));
  }

  @Test
  void otherPatternsAreKept() {
    assertThat(RetentionPolicy.parse("*.fits, stats/*"))
        .isEqualTo(new RetentionPolicy("*.fits, stats/*"));
  }

  @Test
  void optionsOfAPlanAreReadAsTheyWereWritten() throws Exception {
    ObjectMapper json = new ObjectMapper();
    RunOptions now =
        new RunOptions(true, "none", true, "all", false, IntermediateStore.HDFS)
            .withKeep("*.fits")
            .withIgnoredNeeds(true);

    assertThat(json.readValue(json.writeValueAsString(now), RunOptions.class)).isEqualTo(now);
    assertThat(now.withRerun("all"))
        .isEqualTo(new RunOptions(true, "all", true, "*.fits", true, IntermediateStore.HDFS));
  }
}
