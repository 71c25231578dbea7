package dev.weir.workflow.model;

/** Decides which inputs a node caches for later tasks. */
public final class KeptInputs {

  private static final long TINY_BYTES = 64 << 10;

  /** The fewest readers per node of a tiny file that is cached. */
  private static final int MIN_READERS_PER_NODE = 4;

  private KeptInputs() {}

  /**
   * Returns whether caching files pays. Caching a tiny file costs a node about as much as reading
   * it twice.
   *
   * @param bytes average size of the files
   * @param readers average number of tasks that read a file
   * @param nodes number of nodes on which they may run, at least 1
   */
  public static boolean isWorthKeeping(double bytes, double readers, int nodes) {
    return readers > 1 && (bytes >= TINY_BYTES || readers >= (double) MIN_READERS_PER_NODE * nodes);
  }
}
