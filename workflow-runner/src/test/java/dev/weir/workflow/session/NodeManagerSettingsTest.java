package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class NodeManagerSettingsTest {

  private static final String KEPT = "yarn.client.max-cached-nodemanagers-proxies";
  private static final String IDLE = "ipc.client.connection.maxidletime";

  @Test
  void idleConnectionsAreKeptSoThatTheirThreadsDoNotSpin() {
    Configuration conf = new Configuration();
    Configuration settings = NodeManagerSettings.settings(conf);
    assertThat(settings.getInt(KEPT, 0)).as("0 sets the idle time to 0").isPositive();
    assertThat(settings.getInt(IDLE, 0)).isBetween(1, 1_000);
    assertThat(conf.get(KEPT))
        .as("other clients are unaffected")
        .isEqualTo(new Configuration().get(KEPT));
    assertThat(conf.get(IDLE)).isEqualTo(new Configuration().get(IDLE));
  }

  @Test
  void clusterSettingsTakePrecedence() {
    Configuration conf = new Configuration();
    conf.setInt(KEPT, 100);
    conf.setInt(IDLE, 3_000);
    Configuration settings = NodeManagerSettings.settings(conf);
    assertThat(settings.getInt(KEPT, 0)).isEqualTo(100);
    assertThat(settings.getInt(IDLE, 0)).isEqualTo(3_000);
  }
}
