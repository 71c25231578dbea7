package dev.weir.bench.series;

import java.util.List;
import java.util.Locale;
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

  /** Of a run. */
  public static Beside of(Sample sample) {
    return new Beside(sample.notes().steps(), sample.times().staged());
  }

  /** All of it, in seconds. */
  public double seconds() {
    return steps.whole() - tasks;
  }

  /** The median, in seconds; 0 for none. */
  public static double median(List<Beside> runs) {
    return median(runs, Beside::seconds);
  }

  /** All of it and its parts, a sentence without its point. */
  public static String describe(List<Beside> runs) {
    return String.format(
        Locale.ROOT,
        "Beside its tasks a run takes %.1f s (median): inputs %.1f, rest before %.1f, start and end"
            + " %.1f, rest after %.1f, results %.1f, removal %.1f",
        median(runs),
        median(runs, run -> run.steps().provide()),
        median(runs, run -> run.steps().rest()),
        median(runs, run -> run.steps().run() - run.tasks()),
        median(runs, run -> run.steps().settle()),
        median(runs, run -> run.steps().fetch()),
        median(runs, run -> run.steps().clean()));
  }

  private static double median(List<Beside> runs, ToDoubleFunction<Beside> value) {
    return runs.isEmpty()
        ? 0
        : StatUtils.percentile(runs.stream().mapToDouble(value).toArray(), HALF);
  }
}
