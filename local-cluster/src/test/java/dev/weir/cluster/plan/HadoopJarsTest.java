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

  private Path touch(String name) throws Exception {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }
}
