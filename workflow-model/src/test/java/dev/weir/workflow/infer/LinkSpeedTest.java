package dev.weir.workflow.infer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkSpeedTest {
  private static final long GIGABIT = 125_000_000;

  private final Configuration conf = new Configuration(false);

  @Test
  void readsTheResourceManagersKey() {
    conf.set("weir.yarn.link.bytes-per-second", "1250000");
    assertThat(LinkSpeed.of(conf)).isEqualTo(1_250_000);
  }

  @Test
  void defaultsToOneGigabit() {
    assertThat(LinkSpeed.of(conf)).isEqualTo(GIGABIT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "fast", "1gbit"})
  void invalidRateDefaultsToOneGigabit(String value) {
    conf.set("weir.yarn.link.bytes-per-second", value);
    assertThat(LinkSpeed.of(conf)).isEqualTo(GIGABIT);
  }
}
