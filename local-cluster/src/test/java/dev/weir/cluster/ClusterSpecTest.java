package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ClusterSpecTest {
  private final ClusterSpec.Builder builder =
      ClusterSpec.builder(HadoopJars.stock(Path.of("hadoop")));

  @Test
  void aRateNeedsNamespaces() {
    assertThat(builder.link(LinkRate.parse("1gbit")).build().hosts())
        .isEqualTo(HostKind.NAMESPACES);
    assertThatThrownBy(() -> builder.hosts(HostKind.LOOPBACK).build())
        .hasMessageContaining("leave the rate out");
  }

  @Test
  void impossibleNumbersAreRefusedWithWhatToAskFor() {
    assertThatThrownBy(() -> builder.nodes(0).build())
        .hasMessage("Cluster of 0 nodes: ask for 1 to 200");
    assertThatThrownBy(() -> builder.nodes(201).build()).hasMessageContaining("1 to 200");
    assertThatThrownBy(() -> builder.nodes(2).racks(3).build())
        .hasMessage("3 racks for 2 nodes: ask for 1 to 2 racks");
    assertThatThrownBy(() -> builder.nodes(2).racks(0).build())
        .hasMessageContaining("1 to 2 racks");
  }

  @Test
  void aRelativeDirectoryBecomesAbsolute() {
    assertThat(builder.dir(Path.of("here")).build().dir()).isAbsolute();
  }
}
