package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HostKind;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the contract on loopback addresses. Every build covers a loopback cluster only by the tests
 * of the {@code weir cluster} commands.
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
