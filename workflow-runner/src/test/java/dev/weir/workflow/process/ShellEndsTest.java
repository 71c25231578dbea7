package dev.weir.workflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Which shells have ended at the same moment. */
class ShellEndsTest {

  /** One moment later than together it begins anew with negative numbers. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - ShellEnds.TOGETHER_NANOS);

  private final ShellEnds ends = new ShellEnds(now::get);

  @Test
  void shellsThatEndWithinASecondEndTogether() throws Exception {
    ShellEnds.End first = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS);
    ShellEnds.End second = ends.add();
    // Nothing is waited for any more.
    now.addAndGet(ShellEnds.TOGETHER_NANOS);

    assertThat(ends.isTogether(first)).isTrue();
    assertThat(ends.isTogether(second)).isTrue();
  }

  @Test
  void oneThatEndsLaterEndsAlone() throws Exception {
    ShellEnds.End first = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS + 1);
    ShellEnds.End second = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS);

    assertThat(ends.isTogether(first)).isFalse();
    assertThat(ends.isTogether(second)).isFalse();
  }
}
