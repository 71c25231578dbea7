package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.TaskProfiles.Profile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskProfileStoreTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MIB = 1 << 20;

  private final List<TaskRecord> tasks = new ArrayList<>();

  private void addAttempt(String type, Outcome outcome, int seconds, long memory) {
    addAttempt(type, outcome, seconds, memory, 0);
  }

  private void addAttempt(String type, Outcome outcome, int seconds, long memory, long cpuMillis) {
    tasks.add(
        TaskRecord.builder("t" + tasks.size(), type, 1)
            .worker("w", "n")
            .outcome(outcome, 0)
            .times(START, START)
            .phases(
                new TaskRecord.Phases(
                    Duration.ofSeconds(1),
                    Duration.ZERO,
                    Duration.ofSeconds(seconds),
                    Duration.ZERO))
            .effort(new ResourceUse(cpuMillis, memory))
            .build());
  }

  private TaskProfiles updated(TaskProfiles before) {
    return TaskProfileStore.after(before, tasks, 4);
  }

  @Test
  void learnsFromSuccessfulAttempts() {
    for (int seconds : new int[] {4, 1, 3, 2}) {
      addAttempt("align", Outcome.SUCCEEDED, seconds, seconds * MIB);
    }
    addAttempt("align", Outcome.FAILED, 1_000, 1_000 * MIB);

    assertThat(updated(TaskProfiles.NONE).types())
        .containsExactly(Map.entry("align", new Profile(4, 2, 3, 4, 4 * MIB)));
  }

  @Test
  void fewSamplesChangeAProfileLittleAndMemoryFallsSlowly() {
    TaskProfiles before = new TaskProfiles(Map.of("align", new Profile(50, 10, 11, 12, 100 * MIB)));
    addAttempt("align", Outcome.SUCCEEDED, 1, 10 * MIB);

    assertThat(updated(before).of("align")).contains(new Profile(50, 10, 11, 12, 90 * MIB));
  }

  @Test
  void recentTypesComeFirstAndOthersAreKept() {
    Profile old = new Profile(1, 1, 1, 1, 0);
    addAttempt("new", Outcome.SUCCEEDED, 1, 0);

    assertThat(updated(new TaskProfiles(Map.of("old", old))).types().keySet())
        .containsExactly("new", "old");
  }

  @Test
  void coresAreLearned() {
    Map<String, Profile> before =
        Map.of(
            "align", new Profile(3, 1, 1, 1, 0, 3.8, 3), "old", new Profile(3, 1, 1, 1, 0, 2, 3));
    addAttempt("align", Outcome.SUCCEEDED, 0, 0);
    addAttempt("sort", Outcome.SUCCEEDED, 2, 0, 5_000);
    addAttempt("sort", Outcome.FAILED, 2, 0, 8_000);

    TaskProfiles updated = updated(new TaskProfiles(before));

    assertThat(updated.of("sort")).contains(new Profile(1, 2, 3, 3, 0, 2.5, 1));
    assertThat(updated.of("align").map(Profile::cores)).as("too short to count").contains(3.8);
    assertThat(updated.of("old").map(Profile::cores)).as("not in this run").contains(2.0);
  }
}
