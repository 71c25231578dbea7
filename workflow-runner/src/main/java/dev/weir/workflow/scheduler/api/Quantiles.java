package dev.weir.workflow.scheduler.api;

/** Quantiles of samples. */
public final class Quantiles {

  private static final double MEDIAN = 0.5;

  /** As in LATE, tasks slower than three quarters of the others are slow. */
  private static final double SLOW = 0.75;

  private Quantiles() {}

  /**
   * The value that half of the samples do not exceed.
   *
   * @param sorted samples in ascending order, at least one
   */
  public static double median(double[] sorted) {
    return of(sorted, MEDIAN);
  }

  /**
   * The value that three quarters of the samples do not exceed.
   *
   * @param sorted samples in ascending order, at least one
   */
  public static double slow(double[] sorted) {
    return of(sorted, SLOW);
  }

  private static double of(double[] sorted, double part) {
    return sorted[(int) Math.ceil(part * sorted.length) - 1];
  }
}
