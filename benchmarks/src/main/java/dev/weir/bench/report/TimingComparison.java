package dev.weir.bench.report;

import java.util.Locale;

/**
 * Compares the times of some runs with those of others.
 *
 * @param theirs the reference
 * @param ours the compared runs
 */
public record TimingComparison(TimingStatistics theirs, TimingStatistics ours) {
  /** Returns the ratio of their mean to ours. */
  public double ratio() {
    return theirs.mean() / ours.mean();
  }

  /** Returns the p-value of the difference; NaN with fewer than two runs of either. */
  public double p() {
    return ours.pValue(theirs);
  }

  /** Returns both, such as {@code 2.31 (p = 0.012)}. */
  public String text() {
    return String.format(Locale.ROOT, "%.2f (p %s)", ratio(), TimingStatistics.pIs(p()));
  }
}
