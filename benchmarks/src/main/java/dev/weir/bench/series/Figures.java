package dev.weir.bench.series;

import java.util.List;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.inference.TTest;

/**
 * Seconds of some repetitions.
 *
 * @param seconds one of each
 */
public record Figures(List<Double> seconds) {
  /** Copies. */
  public Figures {
    seconds = List.copyOf(seconds);
  }

  /** The mean; NaN for none. */
  public double mean() {
    return statistics().getMean();
  }

  /** The standard deviation of the sample; 0 for one repetition. */
  public double deviation() {
    return statistics().getStandardDeviation();
  }

  /**
   * How probable a difference as great as that to others is when there is none: Welch's t-test,
   * both sides.
   *
   * @return NaN with fewer than two repetitions of either
   */
  public double pValue(Figures others) {
    return seconds.size() < 2 || others.seconds.size() < 2
        ? Double.NaN
        : new TTest().tTest(array(), others.array());
  }

  private SummaryStatistics statistics() {
    SummaryStatistics statistics = new SummaryStatistics();
    seconds.forEach(statistics::addValue);
    return statistics;
  }

  private double[] array() {
    return seconds.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
