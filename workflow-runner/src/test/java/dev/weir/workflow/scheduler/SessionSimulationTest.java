package dev.weir.workflow.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded.Outcome;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many random sessions that lose workers, data, tasks and masters. */
class SessionSimulationTest {

  private static final int RUNS = 200;

  @ParameterizedTest
  @EnumSource
  void everyGraphAndJobOfASessionEnds(AssignmentPolicy policy) {
    Map<Outcome, Long> completion = new EnumMap<>(Outcome.class);
    for (int seed = 0; seed < RUNS; seed++) {
      SessionSimulation simulation = new SessionSimulation(seed, policy);
      assertThatCode(simulation::run).as("seed %d, %s", seed, policy).doesNotThrowAnyException();
      simulation
          .completion()
          .forEach((outcome, count) -> completion.merge(outcome, count, Long::sum));
    }
    for (Outcome outcome : Outcome.values()) {
      assertThat(completion.getOrDefault(outcome, 0L))
          .as("graphs that have ended as %s", outcome)
          .isGreaterThan(RUNS / 60);
    }
  }
}
