package dev.weir.service.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ActiveNameNodeTest {
  private static final Set<String> NAMES = Set.of("master", "10.0.0.1", "::1");

  @Test
  void distinguishesNameNodesOfOneHostByPort() {
    assertThat(ActiveNameNode.isReportedAs("Master:8020", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.isReportedAs("10.0.0.1:8020", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.isReportedAs("::1:8020", NAMES, 8020)).isTrue();
    assertThat(ActiveNameNode.isReportedAs("master:8021", NAMES, 8020)).isFalse();
    assertThat(ActiveNameNode.isReportedAs("other:8020", NAMES, 8020)).isFalse();
    assertThat(ActiveNameNode.isReportedAs("", NAMES, 8020)).isFalse();
  }
}
