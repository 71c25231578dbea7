package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.plan.ClusterException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterChoiceTest {
  private static final Path A = Path.of("/a");
  private static final Path B = Path.of("/b");

  @Test
  void missingDirectoryOfSettingsIsRefused(@TempDir Path folder) throws Exception {
    ClientConfiguration.requireDirectory(folder.toString());
    assertThatExceptionOfType(ClusterException.class)
        .isThrownBy(() -> ClientConfiguration.requireDirectory("/nowhere"))
        .withMessageContaining("HADOOP_CONF_DIR is /nowhere, which is not a directory");
  }

  @Test
  void onlyClusterNeedsNoName() throws Exception {
    assertThat(ClusterChoice.only(List.of(A), dir -> false)).isEqualTo(A);
  }

  @Test
  void onlyRunningClusterNeedsNoName() throws Exception {
    assertThat(ClusterChoice.only(List.of(A, B), B::equals)).isEqualTo(B);
  }

  @Test
  void oneOfSeveralClustersMustBeNamed() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(A, B), dir -> true))
        .hasMessage("Say which cluster with --dir: /a, /b");
  }

  @Test
  void oneOfSeveralDeadClustersMustBeNamed() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(A, B), dir -> false))
        .hasMessage("Say which cluster with --dir: /a, /b");
  }

  @Test
  void foundReturnsTheOnlyCandidateOrNothing() {
    assertThat(ClusterChoice.found(List.of(A), dir -> false)).contains(A);
    assertThat(ClusterChoice.found(List.of(A, B), B::equals)).contains(B);
    assertThat(ClusterChoice.found(List.of(A, B), dir -> true)).isEmpty();
    assertThat(ClusterChoice.found(List.of(), dir -> true)).isEmpty();
  }

  @Test
  void optionForSeveralRunningClustersListsThem() throws Exception {
    assertThatThrownBy(() -> ClusterChoice.foundOrListed(List.of(A, B), dir -> true))
        .hasMessage("Say which cluster with --cluster: /a, /b");
    assertThat(ClusterChoice.foundOrListed(List.of(A, B), B::equals)).contains(B);
    assertThat(ClusterChoice.foundOrListed(List.of(A), dir -> false)).contains(A);
    assertThat(ClusterChoice.foundOrListed(List.of(A, B), dir -> false)).isEmpty();
  }

  @Test
  void withoutClustersTheRemedyIsToStartOne() {
    assertThatThrownBy(() -> ClusterChoice.only(List.of(), dir -> true))
        .hasMessageContaining("weir cluster start");
  }
}
