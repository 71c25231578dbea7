package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.run.CoreUse.Seen;
import dev.weir.workflow.scheduler.TaskProfiles.Profile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreUseTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final List<TaskRecord> attempts = new ArrayList<>();
  private int second;

  /** An attempt on a worker from a second on. */
  private void ran(String worker, int from, int seconds, double cores) {
    attempts.add(
        TaskRecord.builder("t" + attempts.size(), "align", 1)
            .worker(worker, "n")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(START, START.plusSeconds(from))
            .phases(
                // Its files take as long before and after it, which is not the command's time.
                new TaskRecord.Phases(
                    Duration.ZERO,
                    Duration.ofSeconds(seconds),
                    Duration.ofSeconds(seconds),
                    Duration.ofSeconds(seconds)))
            .effort(new ResourceUse(Math.round(cores * seconds * 1_000), 0))
            .build());
  }

  /** One after the other on one worker. */
  private void alone(double... cores) {
    for (double each : cores) {
      ran("w", second, 10, each);
      second += 10;
    }
  }

  /** Side by side on one worker. */
  private void crowded(double... cores) {
    for (double each : cores) {
      ran("w", second, 10, each);
    }
    second += 10;
  }

  private Seen seen() {
    return Objects.requireNonNull(CoreUse.byType(attempts, 4).get("align"));
  }

  @Test
  void theUpperQuartileCountsAndNotTheMost() {
    alone(1, 1, 1.1, 1.204, 1.2, 1, 1, 3.9);

    assertThat(seen()).isEqualTo(new Seen(1.2, 8, true));
  }

  @Test
  void shortCommandsAndThoseNotMeasuredSayNothing() {
    ran("w", 0, 0, 4);
    ran("w", 1, 100, 0);

    assertThat(CoreUse.byType(attempts, 4)).isEmpty();
  }

  @Test
  void thoseThatHadRoomCountWhereThereAreEnough() {
    crowded(1, 1, 1, 1);
    crowded(1, 1, 1, 1);
    assertThat(seen()).isEqualTo(new Seen(1, 8, false));

    alone(3.8, 3.7);
    assertThat(seen()).as("too few").isEqualTo(new Seen(1, 10, false));

    alone(3.6);
    assertThat(seen()).isEqualTo(new Seen(3.8, 3, true));
  }

  @Test
  void companyThatLeavesCoresIdleHidesNothing() {
    crowded(1, 1);
    crowded(0.9);

    assertThat(seen()).isEqualTo(new Seen(1, 3, true));
  }

  @Test
  void commandsOfOtherWorkersAreNoCompany() {
    ran("w1", 0, 10, 3);
    ran("w2", 0, 10, 3);
    ran("w3", 0, 10, 3);

    assertThat(seen()).isEqualTo(new Seen(3, 3, true));
  }

  @ParameterizedTest
  @CsvSource({
    // what is known, by so many; what is seen, by so many, with room; worker's cores; what is known
    "0,   0,  3.8, 1, false, 4, 3.8",
    "1,   9,  3.8, 3, false, 4, 3.8",
    "1,   9,  3.8, 2, true,  4, 1",
    "3.8, 2,  1,   2, true,  4, 2.85",
    "3.8, 9,  1,   3, true,  4, 2.85",
    "3.8, 9,  3.5, 3, true,  4, 3.5",
    "3.8, 9,  1,   3, false, 4, 3.8",
    "3.8, 9,  1,   3, true,  1, 3.8",
    "3.8, 9,  1,   3, true,  3, 3.8",
  })
  void whatIsKnownGrowsWithWhatIsSeenAndGoesSlowly(
      double known, int by, double cores, int samples, boolean free, int worker, double then) {
    Profile before = new Profile(9, 1, 2, 3, 4, known, by);

    Profile after = new Seen(cores, samples, free).addTo(before, worker);

    assertThat(after).isEqualTo(before.withCores(then, then == known ? by : samples));
  }

  @Test
  void aTypeThatComesDownIsBelievedAfterAFewRuns() {
    Profile habit = new Profile(9, 1, 2, 3, 4, 3.8, 9);
    List<Integer> cores = new ArrayList<>();
    for (int run = 0; run < 5; run++) {
      habit = new Seen(0.95, 9, true).addTo(habit, 4);
      cores.add(habit.wholeCores());
    }

    assertThat(cores).containsExactly(3, 2, 2, 1, 1);
  }
}
