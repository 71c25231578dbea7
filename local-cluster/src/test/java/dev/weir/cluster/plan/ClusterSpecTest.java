package dev.weir.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
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
  void invalidNumbersAreRefusedWithARemedy() {
    assertThatThrownBy(() -> builder.nodes(0).build())
        .hasMessage("Cluster of 0 nodes: ask for 1 to 200");
    assertThatThrownBy(() -> builder.nodes(201).build()).hasMessageContaining("1 to 200");
    assertThatThrownBy(() -> builder.nodes(2).racks(3).build())
        .hasMessage("3 racks for 2 nodes: ask for 1 to 2 racks");
    assertThatThrownBy(() -> builder.nodes(2).racks(0).build())
        .hasMessageContaining("1 to 2 racks");
  }

  @Test
  void invalidServersAreRefusedWithARemedy() {
    assertThatThrownBy(() -> builder.nameNodes(3).build())
        .hasMessage("Cluster of 3 NameNodes: ask for 1 or 2");
    assertThatThrownBy(() -> builder.nameNodes(1).hintServices(1).build())
        .hasMessageContaining("needs its jars");
    ClusterSpec.Builder weir =
        ClusterSpec.builder(
            new HadoopJars(
                Path.of("hadoop"), List.of(Path.of("a.jar")), List.of(Path.of("b.jar"))));
    assertThatThrownBy(() -> weir.nodes(1).hintServices(3).build())
        .hasMessageContaining("at most one per node");
  }

  @Test
  void theServiceComesWithItsJars() {
    Path hadoop = Path.of("hadoop");
    List<Path> plugins = List.of(Path.of("a.jar"));
    HadoopJars all = new HadoopJars(hadoop, plugins, List.of(Path.of("b.jar")));
    assertThat(ClusterSpec.builder(all).build().servers()).isEqualTo(new DaemonLayout(1, 1));
    assertThat(ClusterSpec.builder(all).hintServices(0).build().servers())
        .isEqualTo(DaemonLayout.STOCK);
    assertThat(ClusterSpec.builder(new HadoopJars(hadoop, plugins)).build().servers())
        .isEqualTo(DaemonLayout.STOCK);
  }

  @Test
  void aNodeIsOneProcessUnlessSplit() {
    assertThat(builder.build().servers().splitNodes()).isFalse();
    assertThat(builder.splitNodes(true).build().servers().splitNodes()).isTrue();
  }

  @Test
  void aRelativeDirectoryBecomesAbsolute() {
    assertThat(builder.dir(Path.of("here")).build().dir()).isAbsolute();
  }
}
