package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopJarsTest {
  @TempDir private Path home;

  @Test
  void aDistributionHasTheServiceInLib() throws Exception {
    touch("hadoop/hadoop-common.jar");
    touch("plugins/weir-hints-api-1.jar");
    Path cli = touch("lib/weir-cli-1.jar");
    assertThat(HadoopJars.ofDistribution(home).service()).isEmpty();

    Path service = touch("lib/weir-hints-service-1.jar");
    assertThat(HadoopJars.ofDistribution(home).service()).containsExactly(cli, service);
  }

  @Test
  void theServiceNeedsThePlugins() {
    assertThatThrownBy(() -> new HadoopJars(home, List.of(), List.of(home.resolve("a.jar"))))
        .hasMessageContaining("needs Weir's plugins");
  }

  @Test
  void daemonsMayHaveAnotherHadoopAndJava() throws Exception {
    HadoopJars own = new HadoopJars(home.resolve("hadoop"), List.of(home.resolve("a.jar")));
    Path old = touch("3.4.3/hadoop-common.jar");
    Path java = touch("java11/bin/java");
    assertThat(own.daemons()).isEqualTo(own.hadoop());
    assertThat(own.withDaemons(home.resolve("3.4.3")).daemonJars()).containsExactly(old);
    assertThatThrownBy(() -> own.withJava(home.resolve("java11")))
        .hasMessageContaining("No program " + java);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    assertThat(own.withJava(home.resolve("java11")).withoutPlugins())
        .isEqualTo(
            new HadoopJars(
                own.hadoop(), List.of(), List.of(), own.hadoop(), home.resolve("java11")));
  }

  @Test
  void releaseHasAVersion() {
    assertThatThrownBy(() -> HadoopRelease.of("3.4"))
        .hasMessage("'3.4' is not a version of Hadoop; write one such as 3.4.3");
  }

  private Path touch(String name) throws Exception {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }
}
