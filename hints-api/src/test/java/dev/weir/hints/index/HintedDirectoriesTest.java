package dev.weir.hints.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HintedDirectoriesTest {
  private static final HintedDirectories ALICE =
      HintedDirectories.none().with(Set.of("/user/alice"));

  @ParameterizedTest
  @CsvSource({
    "/user/alice/runs/1, /user/alice",
    "/user/alice, /user/alice",
    "/scratch, /scratch",
    "/, ''",
  })
  void directoryOfRuleIsFirstTwoComponents(String literalPrefix, String place) {
    assertThat(HintedDirectories.directoryOf(literalPrefix)).isEqualTo(place);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/user/alice/a",
        "/user/alice/b/c/d",
        "/user/alice",
        "/user/alice._COPYING_",
        "/user/.alice.weir-gather-1/part-0",
        "/user"
      })
  void neverExcludesFilesThatRulesMayMatch(String path) {
    assertThat(ALICE.mayHaveRules(path)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/user/bob/a", "/user/alic/e", "/user/alicee/a", "/users/alice/a", "/a/b/c/d"})
  void excludesFilesInOtherDirectories(String path) {
    assertThat(ALICE.mayHaveRules(path)).isFalse();
  }

  @Test
  void rootRuleMayMatchAnyFile() {
    HintedDirectories any = ALICE.with(HintedDirectories.directoriesOf(List.of("/")));
    assertThat(any.mayHaveRules("/a/b/c")).isTrue();
    assertThat(any.without(Set.of("")).mayHaveRules("/a/b/c")).isFalse();
  }

  @Test
  void topLevelDirectoryCoversFilesBelow() {
    HintedDirectories scratch = ALICE.with(Set.of("/scratch"));
    assertThat(scratch.mayHaveRules("/scratch/a/b")).isTrue();
    assertThat(scratch.without(Set.of("/scratch")).mayHaveRules("/scratch/a/b")).isFalse();
  }

  @Test
  void directoryOfTwoSetsRemainsWhenOneIsRemoved() {
    HintedDirectories one = ALICE.with(Set.of("/user/alice")).without(Set.of("/user/alice"));
    assertThat(one.mayHaveRules("/user/alice/a")).isTrue();
    assertThat(one.without(Set.of("/user/alice")).mayHaveRules("/user/alice/a")).isFalse();
  }
}
