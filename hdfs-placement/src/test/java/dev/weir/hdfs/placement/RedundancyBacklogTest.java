package dev.weir.hdfs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RedundancyBacklogTest {
  @Test
  void beginsBeyondTheLimitAndEndsAtHalf() {
    AtomicLong blocks = new AtomicLong(100);
    RedundancyBacklog backlog = new RedundancyBacklog(blocks::get, () -> 100);
    assertThat(backlog.exists()).isFalse();
    blocks.set(101);
    assertThat(backlog.exists()).isTrue();
    blocks.set(51);
    assertThat(backlog.exists()).isTrue();
    blocks.set(50);
    assertThat(backlog.exists()).isFalse();
    blocks.set(51);
    assertThat(backlog.exists()).isFalse();
  }
}
