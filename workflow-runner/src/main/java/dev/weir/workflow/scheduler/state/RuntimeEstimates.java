package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.scheduler.api.Quantiles;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the run times of tasks by type, with staging, from successful attempts. The last
 * attempts of each type count. Not thread-safe.
 */
public final class RuntimeEstimates {

  /** With fewer samples there is no estimate. */
  static final int LEAST = 3;

  private static final int KEPT = 64;
  private static final double MILLIS_PER_SECOND = 1_000;

  /** A task that exceeds its estimate is expected to take this part of its elapsed time longer. */
  private static final double OVERDUE_PART = 0.25;

  private final Map<String, Samples> byType = new HashMap<>();
  private final TaskProfiles profiles;

  /** Estimates from profiles of earlier runs until this run has enough samples of a type. */
  RuntimeEstimates(TaskProfiles profiles) {
    this.profiles = profiles;
  }

  private static final class Samples {
    private final double[] last = new double[KEPT];
    private int count;
    private @Nullable Estimate estimate;

    void add(double seconds) {
      last[count++ % KEPT] = seconds;
      estimate = null;
    }

    @Nullable Estimate estimate() {
      if (estimate == null && count >= LEAST) {
        double[] sorted = Arrays.copyOf(last, Math.min(count, KEPT));
        Arrays.sort(sorted);
        estimate = new Estimate(Quantiles.median(sorted), Quantiles.slow(sorted));
      }
      return estimate;
    }
  }

  /**
   * Run times of a type.
   *
   * @param expected median, in seconds
   * @param slow upper quartile, in seconds
   */
  public record Estimate(double expected, double slow) {}

  /** Adds the times of a successful attempt; ignores other attempts. */
  public void add(String type, TaskReport report) {
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

  /** Estimated remaining seconds of a running task. */
  public double remaining(TaskState task, long now) {
    double elapsed = elapsed(task, now);
    return Math.max(expected(task) - elapsed, elapsed * OVERDUE_PART);
  }

  /** Whether a task declares its time or its type has an estimate. */
  public boolean knows(TaskState task) {
    return task.task().runtimeSeconds() > 0 || of(task.task().type()) != null;
  }

  /** Estimated seconds of a task in all; what it declares, 0 for nothing, without an estimate. */
  public double expected(TaskState task) {
    Estimate estimate = of(task.task().type());
    return estimate == null ? task.seconds() : estimate.expected();
  }

  /** For how many seconds a task has run. */
  public static double elapsed(TaskState task, long now) {
    return (now - task.begunMillis()) / MILLIS_PER_SECOND;
  }

  /** The estimate of a type; null when there are too few samples. */
  public @Nullable Estimate of(String type) {
    Samples samples = byType.get(type);
    Estimate own = samples == null ? null : samples.estimate();
    return own != null
        ? own
        : profiles
            .of(type)
            .filter(profile -> profile.samples() >= LEAST)
            .map(profile -> new Estimate(profile.expectedSeconds(), profile.slowSeconds()))
            .orElse(null);
  }
}
