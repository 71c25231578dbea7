package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.dispatch.Habits;
import dev.weir.workflow.dispatch.Habits.Habit;
import dev.weir.workflow.protocol.Effort;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HabitBookTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MIB = 1 << 20;

  private final List<TaskRecord> tasks = new ArrayList<>();

  private void ran(String type, Outcome outcome, int seconds, long memory) {
    tasks.add(
        new TaskRecord(
            "t" + tasks.size(),
            type,
            1,
            "w",
            "n",
            outcome,
            0,
            START,
            START,
            new TaskRecord.Phases(
                Duration.ofSeconds(1), Duration.ZERO, Duration.ofSeconds(seconds), Duration.ZERO),
            TaskRecord.Traffic.NONE,
            TaskRecord.Files.NONE,
            new Effort(1, memory)));
  }

  private Habits after(Habits before) {
    return HabitBook.after(
        before,
        new RunRecord("r", "w", "weir", RunState.SUCCEEDED, START, START, List.of(), tasks));
  }

  @Test
  void learnsFromWhatSucceeded() {
    for (int seconds : new int[] {4, 1, 3, 2}) {
      ran("align", Outcome.SUCCEEDED, seconds, seconds * MIB);
    }
    ran("align", Outcome.FAILED, 1_000, 1_000 * MIB);

    assertThat(after(Habits.NONE).types())
        .containsExactly(Map.entry("align", new Habit(4, 2, 3, 4, 4 * MIB)));
  }

  @Test
  void fewDoNotReplaceWhatManyHaveShownAndMemoryIsForgottenSlowly() {
    Habits before = new Habits(Map.of("align", new Habit(50, 10, 11, 12, 100 * MIB)));
    ran("align", Outcome.SUCCEEDED, 1, 10 * MIB);

    assertThat(after(before).of("align")).contains(new Habit(50, 10, 11, 12, 90 * MIB));
  }

  @Test
  void whatIsSeenNowComesFirstAndTheRestStaysKnown() {
    Habit old = new Habit(1, 1, 1, 1, 0);
    ran("new", Outcome.SUCCEEDED, 1, 0);

    assertThat(after(new Habits(Map.of("old", old))).types().keySet())
        .containsExactly("new", "old");
  }
}
