package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Of loopback addresses every build starts a cluster by the commands of a user, which writes on a
 * node, loses a daemon and is stopped; the rest of the contract it shows with network namespaces.
 */
@Tag("nightly")
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
