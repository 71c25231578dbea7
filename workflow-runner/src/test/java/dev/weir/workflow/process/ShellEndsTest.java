package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests which shells count as ended together. */
class ShellEndsTest {

  /** Overflows to negative numbers soon, as nanoTime may. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - ShellEnds.TOGETHER_NANOS);

  private final ShellEnds ends = new ShellEnds(now::get);

  @Test
  void shellsThatEndWithinASecondCountAsTogether() throws Exception {
    ShellEnds.End first = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS);
    ShellEnds.End second = ends.add();
    // No wait is left.
    now.addAndGet(ShellEnds.TOGETHER_NANOS);

    assertThat(ends.isTogether(first)).isTrue();
    assertThat(ends.isTogether(second)).isTrue();
  }

  @Test
  void laterEndCountsAlone() throws Exception {
    ShellEnds.End first = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS + 1);
    ShellEnds.End second = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS);

    assertThat(ends.isTogether(first)).isFalse();
    assertThat(ends.isTogether(second)).isFalse();
  }
}
