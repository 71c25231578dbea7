package dev.weir.hdfs.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ChunkBudgetTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final ChunkBudget budget = new ChunkBudget();

  @Test
  void givesNoMoreBuffersThanTheLimit() {
    byte[] first = Objects.requireNonNull(budget.acquire(2));
    byte[] second = budget.acquire(2);
    assertThat(budget.acquire(2)).isNull();
    budget.release(first);
    assertThat(budget.acquire(2)).isNotNull();
    assertThat(second).hasSize(StripedReadConfig.CHUNK_BYTES);
  }

  @Test
  void buffersOfAStreamThatIsNeverClosedAreGivenAgain() {
    assertThat(budget.acquire(1)).isNotNull();
    await()
        .atMost(LONG)
        .until(
            () -> {
              System.gc();
              return budget.acquire(1) != null;
            });
  }
}
