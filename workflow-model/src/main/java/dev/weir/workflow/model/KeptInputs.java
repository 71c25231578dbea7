package dev.weir.workflow.model;

/** Which inputs a node keeps for the next task that reads them. */
public final class KeptInputs {

  private static final long TINY_BYTES = 64 << 10;

  /** So often is a tiny file read on a node that keeps it. */
  private static final int MANY = 4;

  private KeptInputs() {}

  /**
   * Whether keeping files pays: keeping a tiny one costs a node about as much as reading it twice.
   *
   * @param bytes of a file, on average if there are several
   * @param readers how many tasks read it, on average if there are several
   * @param nodes on how many nodes they may run, at least 1
   */
  public static boolean isWorthKeeping(double bytes, double readers, int nodes) {
    return readers > 1 && (bytes >= TINY_BYTES || readers >= (double) MANY * nodes);
  }
}
