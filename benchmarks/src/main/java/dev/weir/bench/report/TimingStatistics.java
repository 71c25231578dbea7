package dev.weir.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.TTest;
import org.jspecify.annotations.Nullable;

/**
 * The durations of repetitions, in seconds. Several repetitions in a row of one run share its
 * workers, so they are not independent. Significance is computed from the means of runs.
 *
 * @param seconds one value per repetition
 * @param runs the run of each repetition, as many as there are seconds
 */
public record TimingStatistics(List<Double> seconds, List<Integer> runs) {
  /** The text in place of a missing probability. */
  public static final String TOO_FEW = "needs 2 runs";

  /** Smaller values would be rounded to zero. */
  private static final double LEAST_P = 0.0005;

  /**
   * Checks and copies the lists.
   *
   * @throws IllegalArgumentException if their sizes differ
   */
  public TimingStatistics {
    seconds = List.copyOf(seconds);
    runs = List.copyOf(runs);
    if (seconds.size() != runs.size()) {
      throw new IllegalArgumentException(
          seconds.size() + " repetitions, and the runs of " + runs.size());
    }
  }

  /** Creates statistics of runs with one repetition each. */
  public TimingStatistics(List<Double> seconds) {
    this(seconds, IntStream.range(0, seconds.size()).boxed().toList());
  }

  /** Returns the mean of all repetitions; NaN for none. */
  public double mean() {
    return statistics(seconds).getMean();
  }

  public List<Double> means() {
    return byRun().values().stream().map(SummaryStatistics::getMean).toList();
  }

  /** Returns the standard deviation of the means of runs; 0 for one run. */
  public double deviation() {
    return statistics(means()).getStandardDeviation();
  }

  /** Returns whether a run has several repetitions. */
  public boolean inARow() {
    return byRun().size() < seconds.size();
  }

  /**
   * Returns the standard deviation within runs, pooled over all of them; NaN if each has one
   * repetition.
   */
  public double deviationWithin() {
    double squares =
        byRun().values().stream()
            .filter(run -> run.getN() > 1)
            .mapToDouble(run -> run.getVariance() * (run.getN() - 1))
            .sum();
    int degrees = seconds.size() - byRun().size();
    return degrees == 0 ? Double.NaN : Math.sqrt(squares / degrees);
  }

  /**
   * Returns the p-value of the difference to others, by Welch's two-sided t-test on the means of
   * runs.
   *
   * @return NaN with fewer than two runs of either
   */
  public double pValue(TimingStatistics others) {
    List<Double> ours = means();
    List<Double> theirs = others.means();
    if (ours.size() < 2 || theirs.size() < 2) {
      return Double.NaN;
    }
    if (deviation() == 0 && others.deviation() == 0) {
      return ours.get(0).equals(theirs.get(0)) ? 1 : 0;
    }
    return new TTest().tTest(array(ours), array(theirs));
  }

  /** Returns the text for a table cell: the mean, and the deviation of several runs. */
  public static String text(@Nullable TimingStatistics figures) {
    if (figures == null) {
      return MarkdownTable.NONE;
    }
    return figures.means().size() < 2
        ? String.format(Locale.ROOT, "%.2f", figures.mean())
        : String.format(Locale.ROOT, "%.2f ± %.2f", figures.mean(), figures.deviation());
  }

  /** Returns the text of a p-value for a table cell. */
  public static String p(double value) {
    if (Double.isNaN(value)) {
      return TOO_FEW;
    }
    // A test never proves that a probability is zero.
    return value < LEAST_P ? "< 0.001" : String.format(Locale.ROOT, "%.3f", value);
  }

  /** Returns the text of a p-value after "p". */
  static String pIs(double value) {
    return Double.isNaN(value) || value < LEAST_P ? p(value) : "= " + p(value);
  }

  private Map<Integer, SummaryStatistics> byRun() {
    Map<Integer, SummaryStatistics> all = new LinkedHashMap<>();
    for (int i = 0; i < seconds.size(); i++) {
      all.computeIfAbsent(runs.get(i), run -> new SummaryStatistics()).addValue(seconds.get(i));
    }
    return all;
  }

  private static SummaryStatistics statistics(List<Double> values) {
    SummaryStatistics statistics = new SummaryStatistics();
    values.forEach(statistics::addValue);
    return statistics;
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
