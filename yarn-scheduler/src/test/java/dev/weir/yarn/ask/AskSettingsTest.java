package dev.weir.yarn.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.yarn.wait.LocalityWait;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

class AskSettingsTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void hasDefaults() {
    assertThat(AskSettings.from(conf))
        .isEqualTo(
            new AskSettings(
                1_500,
                new LocalityWait(5, 10_000, 125_000_000),
                true,
                2L * YarnConfiguration.DEFAULT_RM_AM_EXPIRY_INTERVAL_MS));
  }

  @Test
  void readsTheConfiguration() {
    conf.set("weir.yarn.hold.ms", "0");
    conf.set("weir.yarn.locality-wait.floor-ms", "30");
    conf.set("weir.yarn.locality-wait.max-ms", "2000");
    conf.set("weir.yarn.link.bytes-per-second", "1000");
    conf.set("yarn.am.liveness-monitor.expiry-interval-ms", "5000");
    conf.set("yarn.resourcemanager.scheduler.autocorrect.container.allocation", "true");

    assertThat(AskSettings.from(conf))
        .isEqualTo(new AskSettings(0, new LocalityWait(30, 2_000, 1_000), false, 10_000));
  }

  @Test
  void invalidValuesFallBackToDefaults() {
    conf.set("weir.yarn.hold.ms", "soon");
    conf.set("weir.yarn.locality-wait.floor-ms", "-1");
    conf.set("weir.yarn.locality-wait.max-ms", "-1");
    conf.set("weir.yarn.link.bytes-per-second", "0");

    assertThat(AskSettings.from(conf)).isEqualTo(AskSettings.from(new Configuration(false)));
  }
}
