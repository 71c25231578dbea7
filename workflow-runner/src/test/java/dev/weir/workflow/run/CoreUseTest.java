package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.run.CoreUse.Seen;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
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

  /** Adds an attempt on a worker that starts at this second. */
  private void addAttempt(String worker, int from, int seconds, double cores) {
    attempts.add(
        TaskRecord.builder("t" + attempts.size(), "align", 1)
            .worker(worker, "n")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(START, START.plusSeconds(from))
            .phases(
                // Staging takes as long before and after the command, and does not count as the
                // command's time.
                new TaskRecord.Phases(
                    Duration.ZERO,
                    Duration.ofSeconds(seconds),
                    Duration.ofSeconds(seconds),
                    Duration.ofSeconds(seconds)))
            .effort(new ResourceUse(Math.round(cores * seconds * 1_000), 0))
            .build());
  }

  /** Adds attempts one after another on one worker. */
  private void addSequential(double... cores) {
    for (double each : cores) {
      addAttempt("w", second, 10, each);
      second += 10;
    }
  }

  /** Adds attempts side by side on one worker. */
  private void addParallel(double... cores) {
    for (double each : cores) {
      addAttempt("w", second, 10, each);
    }
    second += 10;
  }

  private Seen observed() {
    return Objects.requireNonNull(CoreUse.byType(attempts, 4).get("align"));
  }

  @Test
  void upperQuartileCountsInsteadOfTheMaximum() {
    addSequential(1, 1, 1.1, 1.204, 1.2, 1, 1, 3.9);

    assertThat(observed()).isEqualTo(new Seen(1.2, 8, true));
  }

  @Test
  void shortAndUnmeasuredCommandsAreIgnored() {
    addAttempt("w", 0, 0, 4);
    addAttempt("w", 1, 100, 0);

    assertThat(CoreUse.byType(attempts, 4)).isEmpty();
  }

  @Test
  void commandsWithSpareCoresCountIfThereAreEnough() {
    addParallel(1, 1, 1, 1);
    addParallel(1, 1, 1, 1);
    assertThat(observed()).isEqualTo(new Seen(1, 8, false));

    addSequential(3.8, 3.7);
    assertThat(observed()).as("too few").isEqualTo(new Seen(1, 10, false));

    addSequential(3.6);
    assertThat(observed()).isEqualTo(new Seen(3.8, 3, true));
  }

  @Test
  void parallelCommandsThatLeaveCoresIdleCount() {
    addParallel(1, 1);
    addParallel(0.9);

    assertThat(observed()).isEqualTo(new Seen(1, 3, true));
  }

  @Test
  void commandsOfOtherWorkersAreIgnored() {
    addAttempt("w1", 0, 10, 3);
    addAttempt("w2", 0, 10, 3);
    addAttempt("w3", 0, 10, 3);

    assertThat(observed()).isEqualTo(new Seen(3, 3, true));
  }

  @ParameterizedTest
  @CsvSource({
    // known cores, number of samples; observed cores, number, with spare cores; cores of a worker;
    // result
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
  void knownCoresRiseAtOnceAndFallSlowly(
      double known, int by, double cores, int samples, boolean free, int worker, double then) {
    Profile before = new Profile(9, 1, 2, 3, 4, known, by);

    Profile after = new Seen(cores, samples, free).addTo(before, worker);

    assertThat(after).isEqualTo(before.withCores(then, then == known ? by : samples));
  }

  @Test
  void lowerUseCountsAfterAFewRuns() {
    Profile profile = new Profile(9, 1, 2, 3, 4, 3.8, 9);
    List<Integer> cores = new ArrayList<>();
    for (int run = 0; run < 5; run++) {
      profile = new Seen(0.95, 9, true).addTo(profile, 4);
      cores.add(profile.wholeCores());
    }

    assertThat(cores).containsExactly(3, 2, 2, 1, 1);
  }
}
