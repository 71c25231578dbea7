package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ShellEndsTest {

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final ShellEnds ends = new ShellEnds(now::get);

  @Test
  void shellsThatEndWithinASecondEndTogether() throws Exception {
    ShellEnds.End first = ends.add();
    now.addAndGet(ShellEnds.TOGETHER_NANOS);
    ShellEnds.End second = ends.add();

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
