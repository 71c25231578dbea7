package dev.weir.bench.report;

import dev.weir.bench.series.RunSteps;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The machine time of runs beside their tasks. Medians are reported, because a single run may wait
 * for something unusual.
 *
 * @param tasks seconds of its tasks, including staging
 */
public record RunOverhead(RunSteps steps, double tasks) {
  private static final double HALF = 50;

  /** Returns the overhead of a repetition: its share of its run's steps. */
  public static RunOverhead of(Sample sample) {
    return new RunOverhead(sample.notes().steps(), sample.times().staged());
  }

  static RunOverhead ofRun(List<Sample> repetitions) {
    return repetitions.stream()
        .map(RunOverhead::of)
        .reduce(
            new RunOverhead(RunSteps.NONE, 0),
            (a, b) -> new RunOverhead(a.steps.plus(b.steps), a.tasks + b.tasks));
  }

  /** Returns the total in seconds. */
  public double seconds() {
    return steps.whole() - tasks;
  }

  /**
   * Returns the time from the submission until the first task and from the last one until the run's
   * end, in seconds.
   */
  double startAndEnd() {
    return steps.run() - tasks;
  }

  /** Returns the median in seconds; 0 for none. */
  public static double median(List<RunOverhead> runs) {
    return median(runs, RunOverhead::seconds);
  }

  /** Returns the median time after the end until all replicas exist; 0 for none. */
  public static double medianSettle(List<RunOverhead> runs) {
    return median(runs, run -> run.steps().settle());
  }

  /** Returns the median of a part, in seconds; 0 for none. */
  static double median(List<RunOverhead> runs, ToDoubleFunction<RunOverhead> value) {
    return runs.isEmpty()
        ? 0
        : StatUtils.percentile(runs.stream().mapToDouble(value).toArray(), HALF);
  }
}
