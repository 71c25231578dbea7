package dev.weir.bench.report;

import dev.weir.bench.series.RunSteps;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.StatUtils;

/**
 * What runs take of the machine's time beside their tasks: medians, for one run that waits for
 * something says nothing of the others.
 *
 * @param steps of a run
 * @param tasks seconds that its tasks took, staging included
 */
public record RunOverhead(RunSteps steps, double tasks) {
  private static final double HALF = 50;

  /** Of a repetition: its part of its run's steps. */
  public static RunOverhead of(Sample sample) {
    return new RunOverhead(sample.notes().steps(), sample.times().staged());
  }

  /** Of a run that has some repetitions. */
  static RunOverhead ofRun(List<Sample> repetitions) {
    return repetitions.stream()
        .map(RunOverhead::of)
        .reduce(
            new RunOverhead(RunSteps.NONE, 0),
            (a, b) -> new RunOverhead(a.steps.plus(b.steps), a.tasks + b.tasks));
  }

  /** All of it, in seconds. */
  public double seconds() {
    return steps.whole() - tasks;
  }

  /** From its submission until the first task and from the last one until its end, in seconds. */
  double startAndEnd() {
    return steps.run() - tasks;
  }

  /** The median, in seconds; 0 for none. */
  public static double median(List<RunOverhead> runs) {
    return median(runs, RunOverhead::seconds);
  }

  /** The median of the time after the end until all replicas were there; 0 for none. */
  public static double medianSettle(List<RunOverhead> runs) {
    return median(runs, run -> run.steps().settle());
  }

  /** The median of a part, in seconds; 0 for none. */
  static double median(List<RunOverhead> runs, ToDoubleFunction<RunOverhead> value) {
    return runs.isEmpty()
        ? 0
        : StatUtils.percentile(runs.stream().mapToDouble(value).toArray(), HALF);
  }
}
