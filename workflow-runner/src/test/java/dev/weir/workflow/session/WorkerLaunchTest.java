package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.staging.Mode;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerLaunchTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void workersInWeirModeGetTheLinkSpeed() {
    conf.setLong(LinkSpeed.KEY, 1_250_000);

    assertThat(WorkerLaunch.linkBytesPerSecond(Mode.WEIR, conf)).isEqualTo(1_250_000);
  }

  @ParameterizedTest
  @EnumSource(names = "WEIR", mode = EnumSource.Mode.EXCLUDE)
  void workersInStockModesGetNoLinkSpeed(Mode mode) {
    conf.setLong(LinkSpeed.KEY, 1_250_000);

    assertThat(WorkerLaunch.linkBytesPerSecond(mode, conf)).isZero();
  }
}
