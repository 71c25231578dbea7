package dev.weir.nextflow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskJobTest {

  @Test
  void exitCodeIsTheLastOutput() {
    assertThat(TaskJob.written(false)).containsExactly(".command.out", ".command.err", ".exitcode");
    assertThat(TaskJob.written(true)).contains(".command.env").endsWith(".exitcode");
  }
}
