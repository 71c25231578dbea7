package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests which shells count as ended together. */
class ShellExitTrackerTest {

  /** Overflows to negative numbers soon, as nanoTime may. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - ShellExitTracker.TOGETHER_NANOS);

  private final ShellExitTracker ends = new ShellExitTracker(now::get);

  @Test
  void shellsThatEndWithinASecondCountAsTogether() throws Exception {
    ShellExitTracker.End first = ends.add();
    now.addAndGet(ShellExitTracker.TOGETHER_NANOS);
    ShellExitTracker.End second = ends.add();
    // No wait is left.
    now.addAndGet(ShellExitTracker.TOGETHER_NANOS);

    assertThat(ends.isTogether(first)).isTrue();
    assertThat(ends.isTogether(second)).isTrue();
  }

  @Test
  void laterEndCountsAlone() throws Exception {
    ShellExitTracker.End first = ends.add();
    now.addAndGet(ShellExitTracker.TOGETHER_NANOS + 1);
    ShellExitTracker.End second = ends.add();
    now.addAndGet(ShellExitTracker.TOGETHER_NANOS);

    assertThat(ends.isTogether(first)).isFalse();
    assertThat(ends.isTogether(second)).isFalse();
  }
}
