package dev.weir.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.TTest;

/**
 * Seconds of some repetitions. Several repetitions in a row of one run share its workers, so that
 * they are no trials of their own: what is said of chance goes by the means of runs.
 *
 * @param seconds one of each repetition
 * @param runs of which run each repetition is, as many as there are seconds
 */
public record TimingStatistics(List<Double> seconds, List<Integer> runs) {
  /** What is told in place of a probability that there is none of. */
  public static final String TOO_FEW = "needs 2 runs";

  /** What is smaller would be rounded to zero. */
  private static final double LEAST_P = 0.0005;

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException when it is not known of which run each is
   */
  public TimingStatistics {
    seconds = List.copyOf(seconds);
    runs = List.copyOf(runs);
    if (seconds.size() != runs.size()) {
      throw new IllegalArgumentException(
          seconds.size() + " repetitions, and the runs of " + runs.size());
    }
  }

  /** Of runs that have one repetition each. */
  public TimingStatistics(List<Double> seconds) {
    this(seconds, IntStream.range(0, seconds.size()).boxed().toList());
  }

  /** The mean of all repetitions; NaN for none. */
  public double mean() {
    return statistics(seconds).getMean();
  }

  /** The mean of each run. */
  public List<Double> means() {
    return byRun().values().stream().map(SummaryStatistics::getMean).toList();
  }

  /** The standard deviation of the means of runs; 0 for one run. */
  public double deviation() {
    return statistics(means()).getStandardDeviation();
  }

  /** Whether a run has several repetitions. */
  public boolean inARow() {
    return byRun().size() < seconds.size();
  }

  /** The standard deviation within runs, pooled over all of them; NaN where each has one. */
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
   * How probable a difference as great as that to others is when there is none: Welch's t-test of
   * the means of runs, both sides.
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

  /** For the cell of a table: the probability, or what it takes for one. */
  public static String p(double value) {
    if (Double.isNaN(value)) {
      return TOO_FEW;
    }
    // No test says that something is out of the question.
    return value < LEAST_P ? "< 0.001" : String.format(Locale.ROOT, "%.3f", value);
  }

  /** The same behind a p. */
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
