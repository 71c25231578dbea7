package dev.weir.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangedFilesTest {

  private final ChangedFiles changed = new ChangedFiles(List.of("/data/a", "/moved", "/d/e/f"));

  @ParameterizedTest
  @CsvSource({
    "/data/a, true",
    "//data//a, true",
    "/data/b, false",
    "/data/a/below, true",
    "/data/ab, false",
    "/data, true",
    "/data/, true",
    "/, true",
    "/moved/x/y, true",
    "/movedx, false",
    "/d, false",
    "/d/e, true",
    "/d/e/*, true",
    "/d/*/f, true",
    "/d/[a-z]/g, true",
    "/x/*, false",
    "/moved/x*, true",
    "'/{x/y,z}', true",
    "/d/e/f, true"
  })
  void concernsFilesDirectoriesAndPatterns(String named, boolean concerned) {
    assertThat(changed.concern(named)).isEqualTo(concerned);
  }
}
