package dev.weir.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HadoopShellTest {
  static Stream<String> classes() {
    return Stream.of(HadoopShell.HDFS, HadoopShell.YARN)
        .flatMap(shell -> shell.classes().values().stream())
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("classes")
  void everyClassIsInTheShippedHadoop(String name) throws Exception {
    Class<?> found = Class.forName(name, false, HadoopShellTest.class.getClassLoader());
    assertThat(found.getMethod("main", String[].class)).isNotNull();
  }

  @Test
  void firstWordChoosesTheClassAndIsRemoved() throws Exception {
    List<String> words = List.of("dfs", "-ls", "/");
    assertThat(HadoopShell.HDFS.mainClass(words)).isEqualTo("org.apache.hadoop.fs.FsShell");
    assertThat(HadoopShell.HDFS.arguments(words)).containsExactly("-ls", "/");
  }

  @Test
  void applicationCommandsShareAClassAndKeepTheirFirstWord() throws Exception {
    List<String> words = List.of("applicationattempt", "-list", "a");
    assertThat(HadoopShell.YARN.mainClass(words)).endsWith("ApplicationCLI");
    assertThat(HadoopShell.YARN.arguments(words)).isEqualTo(words);
  }

  @Test
  void unknownWordIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> HadoopShell.YARN.mainClass(List.of("jobs")))
        .hasMessageStartingWith("No 'yarn jobs' here: write one of app, application,");
    assertThatThrownBy(() -> HadoopShell.HDFS.mainClass(List.of()))
        .hasMessageStartingWith("No 'hdfs' here: write one of ");
  }
}
