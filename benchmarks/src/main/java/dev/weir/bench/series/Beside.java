package dev.weir.bench.series;

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
public record Beside(Steps steps, double tasks) {
  private static final double HALF = 50;

  /** Of a repetition: its part of its run's steps. */
  public static Beside of(Sample sample) {
    return new Beside(sample.notes().steps(), sample.times().staged());
  }

  /** Of a run that has some repetitions. */
  static Beside ofRun(List<Sample> repetitions) {
    return repetitions.stream()
        .map(Beside::of)
        .reduce(
            new Beside(Steps.NONE, 0),
            (a, b) -> new Beside(a.steps.plus(b.steps), a.tasks + b.tasks));
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
  public static double median(List<Beside> runs) {
    return median(runs, Beside::seconds);
  }

  /** The median of the time after the end until all replicas were there; 0 for none. */
  public static double medianSettle(List<Beside> runs) {
    return median(runs, run -> run.steps().settle());
  }

  /** The median of a part, in seconds; 0 for none. */
  static double median(List<Beside> runs, ToDoubleFunction<Beside> value) {
    return runs.isEmpty()
        ? 0
        : StatUtils.percentile(runs.stream().mapToDouble(value).toArray(), HALF);
  }
}
