package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProcessGuardTest {

  /** No process group has this id. */
  private static final long GROUP = 1L << 40;

  @Test
  void groupOfAFailedRequestIsNotGuardedForever() {
    ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID());
    guard.close();

    assertThatThrownBy(() -> guard.register(GROUP)).isInstanceOf(IOException.class);

    assertThat(guard.guarded()).isZero();
  }

  @Test
  void groupIsGuardedUntilItEnds() throws Exception {
    try (ProcessGuard guard = new ProcessGuard("test-" + UUID.randomUUID())) {
      guard.register(GROUP);
      assertThat(guard.guarded()).isEqualTo(1);

      guard.unregister(GROUP);

      assertThat(guard.guarded()).isZero();
    }
  }
}
