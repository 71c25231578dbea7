package dev.weir.bench.report;

import java.util.Locale;

/**
 * How the times of some runs compare with those of others.
 *
 * @param theirs what is compared with
 * @param ours what is compared
 */
public record TimingComparison(TimingStatistics theirs, TimingStatistics ours) {
  /** How many times as long theirs take. */
  public double ratio() {
    return theirs.mean() / ours.mean();
  }

  /**
   * How probable such a difference is when there is none.
   *
   * @return NaN with fewer than two runs of either
   */
  public double p() {
    return ours.pValue(theirs);
  }

  /** Both, such as {@code 2.31 (p = 0.012)}. */
  public String text() {
    return String.format(Locale.ROOT, "%.2f (p %s)", ratio(), TimingStatistics.pIs(p()));
  }
}
