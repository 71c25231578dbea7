package dev.weir.workflow.model;

/** Which inputs a node keeps for the next task that reads them. */
public final class KeptInputs {

  private static final long TINY_BYTES = 64 << 10;

  /** So many tasks read a tiny file that several of them are on the same node. */
  private static final int MANY = 8;

  private KeptInputs() {}

  /**
   * Whether keeping files pays: keeping a tiny one costs a node about as much as reading it twice.
   *
   * @param bytes of a file, on average if there are several
   * @param readers how many tasks read it, on average if there are several
   */
  public static boolean isWorthKeeping(double bytes, double readers) {
    return readers > 1 && (bytes >= TINY_BYTES || readers >= MANY);
  }
}
