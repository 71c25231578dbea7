package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hints.HintSettings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class BackendsTest {
  private final Configuration configuration = new Configuration(false);

  @Test
  void restrictedHintsNeedCredentials() {
    configuration.set(HintSettings.QUORUM_KEY, "localhost:1");
    assertThatThrownBy(() -> Backends.real().store().apply(configuration))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "weir.zookeeper.auth has no credentials of this service", "weir.zookeeper.open");
  }

  @Test
  void quorumIsRequired() {
    assertThatThrownBy(() -> Backends.real().store().apply(configuration))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("weir.zookeeper.quorum is not set; write the ZooKeeper servers");
  }
}
