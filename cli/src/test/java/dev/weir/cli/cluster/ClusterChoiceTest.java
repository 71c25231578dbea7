package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterChoiceTest {
  @Test
  void theOnlyClusterNeedsNoNaming() throws Exception {
    assertThat(ClusterChoice.only(List.of(Path.of("/a")))).isEqualTo(Path.of("/a"));
  }

  @Test
  void oneOfSeveralMustBeNamed() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(Path.of("/a"), Path.of("/b"))))
        .hasMessage("Say which cluster with --dir: /a, /b");
  }

  @Test
  void withoutAnyTheRemedyIsToStartOne() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of()))
        .hasMessageContaining("weir cluster start");
  }
}
