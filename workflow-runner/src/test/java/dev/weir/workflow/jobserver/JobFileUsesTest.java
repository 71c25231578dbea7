package dev.weir.workflow.jobserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.jobs.JobFile;
import org.junit.jupiter.api.Test;

class JobFileUsesTest {
  private static final long TINY = 1_000;
  private static final int NODES = 2;

  private final JobFileUses uses = new JobFileUses(NODES);

  @Test
  void firstReaderCachesFilesOfLargeOrUnknownSize() {
    assertThat(uses.isWorthKeeping(new JobFile("/unknown", "in"))).isTrue();
    uses.sized("/large", 1 << 20);
    assertThat(uses.isWorthKeeping(new JobFile("/large", "in"))).isTrue();
  }

  @Test
  void smallFileIsCachedIfMoreJobsThanNodesReadIt() {
    uses.sized("/tiny", TINY);

    for (int reader = 1; reader < 4 * NODES - 1; reader++) {
      assertThat(uses.isWorthKeeping(new JobFile("/tiny", "in"))).as("reader %s", reader).isFalse();
    }
    assertThat(uses.isWorthKeeping(new JobFile("/tiny", "in"))).isTrue();
  }

  @Test
  void sizeFoundByAWorkerReplacesAnEarlierOne() {
    uses.sized("/f", TINY);
    assertThat(uses.isWorthKeeping(new JobFile("/f", "in"))).isFalse();

    uses.sized("/f", 1 << 20);

    assertThat(uses.isWorthKeeping(new JobFile("/f", "in"))).isTrue();
  }
}
