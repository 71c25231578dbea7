package dev.weir.workflow.scheduler;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long tasks of each type take, with their files, by those that succeeded. Of each type the
 * last ones count. Not thread-safe.
 */
final class RuntimeEstimates {

  /** With fewer nothing is known of a type. */
  static final int LEAST = 3;

  private static final int KEPT = 64;
  private static final double MILLIS_PER_SECOND = 1_000;

  /** What takes longer than it should takes some of that time more. */
  private static final double OVERDUE_PART = 0.25;

  private final Map<String, Samples> byType = new HashMap<>();
  private final TaskProfiles habits;

  /**
   * Knows what earlier runs have taken, until this one has taken enough of its own.
   *
   * @param habits of earlier runs
   */
  RuntimeEstimates(TaskProfiles habits) {
    this.habits = habits;
  }

  private static final class Samples {
    private final double[] last = new double[KEPT];
    private int count;
    private @Nullable Pace pace;

    void add(double seconds) {
      last[count++ % KEPT] = seconds;
      pace = null;
    }

    @Nullable Pace pace() {
      if (pace == null && count >= LEAST) {
        double[] sorted = Arrays.copyOf(last, Math.min(count, KEPT));
        Arrays.sort(sorted);
        pace = new Pace(Quantiles.median(sorted), Quantiles.slow(sorted));
      }
      return pace;
    }
  }

  /**
   * How long tasks of a type take.
   *
   * @param expected seconds that half of them take at most
   * @param slow seconds that three quarters of them take at most
   */
  record Pace(double expected, double slow) {}

  /** An attempt at a task of a type has ended. */
  void add(String type, TaskReport report) {
    if (report.result() == Result.SUCCEEDED) {
      Usage usage = report.usage();
      long millis =
          usage.stageInLocalMillis()
              + usage.stageInRemoteMillis()
              + usage.runMillis()
              + usage.stageOutMillis();
      byType.computeIfAbsent(type, t -> new Samples()).add(millis / MILLIS_PER_SECOND);
    }
  }

  /** How many seconds a task will take yet that a worker has begun, as far as can be told. */
  double remaining(TaskState task, long now) {
    double elapsed = elapsed(task, now);
    return Math.max(expected(task) - elapsed, elapsed * OVERDUE_PART);
  }

  /** How many seconds a task takes in all, as far as can be told. */
  double expected(TaskState task) {
    Pace pace = of(task.task.type());
    return pace == null ? task.seconds : pace.expected();
  }

  /** For how many seconds a worker has had a task that it has begun. */
  static double elapsed(TaskState task, long now) {
    return (now - task.begunMillis) / MILLIS_PER_SECOND;
  }

  /** What is known of a type; null when that is too little. */
  @Nullable Pace of(String type) {
    Samples samples = byType.get(type);
    Pace own = samples == null ? null : samples.pace();
    return own != null
        ? own
        : habits
            .of(type)
            .filter(habit -> habit.samples() >= LEAST)
            .map(habit -> new Pace(habit.expectedSeconds(), habit.slowSeconds()))
            .orElse(null);
  }
}
