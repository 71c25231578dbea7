package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many random workflows on random clusters that lose workers, data, tasks and the dispatcher. */
class DispatchSimulationTest {

  private static final int RUNS = 1_500;

  @ParameterizedTest
  @EnumSource
  void everyRandomRunEndsWithAllTasksDoneAndAllOutputsStored(AssignmentPolicy policy) {
    int copies = 0;
    int deleted = 0;
    for (int seed = 0; seed < RUNS; seed++) {
      DispatchSimulation simulation = new DispatchSimulation(seed, policy);
      assertThatCode(simulation::run).as("seed %d, %s", seed, policy).doesNotThrowAnyException();
      copies += simulation.copies();
      deleted += simulation.deletedFiles();
    }
    assertThat(copies).as("second copies were begun").isGreaterThan(RUNS / 10);
    assertThat(deleted).as("files were deleted while runs went on").isGreaterThan(RUNS);
  }
}
