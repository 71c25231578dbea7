package dev.weir.workflow.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterRatesTest {

  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  private static final ClusterRates USUAL = ClusterRates.usual(1e9);

  private static TaskRecord task(int number, TaskRecord.Phases phases, TaskRecord.Traffic traffic) {
    return TaskRecord.builder("t" + number, "t", 1)
        .worker("w", "n")
        .outcome(Outcome.SUCCEEDED, 0)
        .times(START.plusSeconds(4), START.plusSeconds(4))
        .phases(phases)
        .traffic(traffic)
        .build();
  }

  private static RunRecord run(List<TaskRecord> tasks) {
    return new RunRecord(
        "r", "w", "weir", RunState.SUCCEEDED, START, START.plusSeconds(12), List.of(), tasks);
  }

  @Test
  void unmeasuredRatesStay() {
    assertThat(USUAL.measured(List.of())).isEqualTo(USUAL);
  }

  @Test
  void runsMeasureLinksLocalReadsTasksAndStarts() {
    TaskRecord.Phases moving =
        new TaskRecord.Phases(
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofMillis(900));
    TaskRecord.Phases small =
        new TaskRecord.Phases(
            Duration.ofMillis(30), Duration.ZERO, Duration.ofSeconds(1), Duration.ofMillis(50));
    List<TaskRecord> tasks =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    i % 2 == 0
                        ? task(i, moving, new TaskRecord.Traffic(10_000_000, 20_000_000, 5, 0, 0))
                        : task(i, small, new TaskRecord.Traffic(1_000, 0, 1_000, 0, 0)))
            .toList();

    ClusterRates rates = USUAL.measured(List.of(run(tasks)));

    assertThat(rates.linkBytesPerSecond()).isEqualTo(10e6);
    assertThat(rates.localBytesPerSecond()).isEqualTo(100e6);
    assertThat(rates.taskSeconds()).isCloseTo(0.08, within(1e-9));
    // 4 s before the first task, and 2 s after the last one.
    assertThat(rates.startSeconds()).isEqualTo(6);
    assertThat(rates.withLink(7).linkBytesPerSecond()).isEqualTo(7);
  }

  @Test
  void impossibleRatesAreRefused() {
    assertThatThrownBy(() -> ClusterRates.usual(0)).hasMessageContaining("give positive numbers");
  }
}
