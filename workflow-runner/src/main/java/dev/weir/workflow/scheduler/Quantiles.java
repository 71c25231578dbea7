package dev.weir.workflow.scheduler;

/** Quantiles of what was seen. */
public final class Quantiles {

  private static final double MEDIAN = 0.5;

  /** As in LATE, what is slower than three quarters of the others is slow. */
  private static final double SLOW = 0.75;

  private Quantiles() {}

  /**
   * What half of the values are at most.
   *
   * @param sorted values in ascending order, at least one
   * @return one of them
   */
  public static double median(double[] sorted) {
    return of(sorted, MEDIAN);
  }

  /**
   * What three quarters of the values are at most.
   *
   * @param sorted values in ascending order, at least one
   * @return one of them
   */
  public static double slow(double[] sorted) {
    return of(sorted, SLOW);
  }

  private static double of(double[] sorted, double part) {
    return sorted[(int) Math.ceil(part * sorted.length) - 1];
  }
}
