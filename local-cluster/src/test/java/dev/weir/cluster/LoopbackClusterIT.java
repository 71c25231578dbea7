package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LoopbackClusterIT extends LocalClusterContract {
  LoopbackClusterIT() throws IOException {
    super(ClusterSpec.builder(TestJars.stock()).hosts(HostKind.LOOPBACK));
  }

  @Test
  void thereIsNoLinkToCut() {
    assertThatThrownBy(() -> cluster().cutLink("n1"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("use namespaces");
  }
}
