package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterChoiceTest {
  private static final Path A = Path.of("/a");
  private static final Path B = Path.of("/b");

  @Test
  void theOnlyClusterNeedsNoNaming() throws Exception {
    assertThat(ClusterChoice.only(List.of(A), List.of())).isEqualTo(A);
  }

  @Test
  void theOnlyOneThatRunsNeedsNoNamingBesideDeadOnes() throws Exception {
    assertThat(ClusterChoice.only(List.of(A, B), List.of(B))).isEqualTo(B);
  }

  @Test
  void oneOfSeveralMustBeNamed() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(A, B), List.of(A, B)))
        .hasMessage("Say which cluster with --dir: /a, /b");
  }

  @Test
  void oneOfSeveralThatAreAllDeadMustBeNamedToo() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(A, B), List.of()))
        .hasMessage("Say which cluster with --dir: /a (dead), /b (dead)");
  }

  @Test
  void withoutAnyTheRemedyIsToStartOne() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(), List.of()))
        .hasMessageContaining("weir cluster start");
  }
}
