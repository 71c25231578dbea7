package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangedFilesTest {

  private final ChangedFiles changed = new ChangedFiles(List.of("/data/a", "/moved", "/d/e/f"));

  @ParameterizedTest
  @CsvSource({
    "/data/a, ALL",
    "//data//a, ALL",
    "/data/./a, ALL",
    "/x/../data/a, ALL",
    "//x/..//data/./a/., ALL",
    "/data/x/.., SOME",
    "/data/a/.., SOME",
    "/data/.a, NONE",
    "/x/../d/e/*, SOME",
    "/data/b, NONE",
    "/data/a/below, ALL",
    "/data/ab, NONE",
    "/data, SOME",
    "/data/, SOME",
    "/, SOME",
    "/moved/x/y, ALL",
    "/movedx, NONE",
    "/d, NONE",
    "/d/e, SOME",
    "/d/e/*, SOME",
    "/d/*/f, SOME",
    "/d/[a-z]/g, SOME",
    "/x/*, NONE",
    "/moved/x*, ALL",
    "'/{x/y,z}', SOME",
    "/d/e/f, ALL"
  })
  void affectsFilesDirectoriesAndPatterns(String named, ChangedFiles.Effect effect) {
    assertThat(changed.on(named)).isEqualTo(effect);
  }
}
