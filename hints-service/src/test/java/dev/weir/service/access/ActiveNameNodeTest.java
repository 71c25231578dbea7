package dev.weir.service.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ActiveNameNodeTest {
  private static final Set<String> NAMES = Set.of("master", "10.0.0.1", "::1");

  @Test
  void twoNameNodesOfOneHostAreToldApartByTheirPorts() {
    assertThat(ActiveNameNode.is("Master:8020", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.is("10.0.0.1:8020", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.is("::1:8020", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.is("master:8021", NAMES, 8020)).isFalse();
    assertThat(ActiveNameNode.is("other:8020", NAMES, 8020)).isFalse();
    assertThat(ActiveNameNode.is("", NAMES, 8020)).isFalse();
  }

  @Test
  void aNameNodeThatSaysNoPortIsKnownByItsHost() {
    assertThat(ActiveNameNode.is("master", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.is("other", NAMES, 8020)).isFalse();
  }
}
