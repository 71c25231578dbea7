package dev.weir.hdfs.placement;

import java.util.function.LongSupplier;

/**
 * Whether HDFS has so many blocks with too few replicas that lazy files should not add more. To
 * avoid frequent changes, a backlog ends only at half the number at which it begins. Thread-safe.
 */
public final class RedundancyBacklog {
  private final LongSupplier blocks;
  private final LongSupplier limit;
  private volatile boolean exists;

  /**
   * Creates a check.
   *
   * @param blocks the present number of blocks with too few replicas
   * @param limit the number beyond which a backlog begins
   */
  public RedundancyBacklog(LongSupplier blocks, LongSupplier limit) {
    this.blocks = blocks;
    this.limit = limit;
  }

  public boolean exists() {
    boolean before = exists;
    long begin = limit.getAsLong();
    boolean now = blocks.getAsLong() > (before ? begin / 2 : begin);
    if (now != before) {
      exists = now;
    }
    return now;
  }
}
