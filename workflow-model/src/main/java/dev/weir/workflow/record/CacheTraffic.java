package dev.weir.workflow.record;

/**
 * The bytes that the node caches of a run exchanged, and those copied ahead of tasks.
 *
 * @param between input bytes that came from the cache of another node instead of HDFS; also counted
 *     as read from other nodes
 * @param ahead bytes that were copied to a node before a task that reads them was ready
 * @param aheadUsed copied bytes that a task of that node has read
 */
public record CacheTraffic(long between, long ahead, long aheadUsed) {

  /** No traffic. */
  public static final CacheTraffic NONE = new CacheTraffic(0, 0, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is negative, or more was used than copied
   */
  public CacheTraffic {
    if (between < 0 || aheadUsed < 0 || ahead < aheadUsed) {
      throw new IllegalArgumentException(
          "Caches: " + between + " bytes between, " + aheadUsed + " used of " + ahead + " ahead");
    }
  }

  /**
   * Returns the traffic since a snapshot. Bytes copied before it and used after it do not count.
   *
   * @param before the snapshot
   * @return the difference
   */
  public CacheTraffic since(CacheTraffic before) {
    long copied = Math.max(0, ahead - before.ahead);
    return new CacheTraffic(
        Math.max(0, between - before.between),
        copied,
        Math.min(copied, Math.max(0, aheadUsed - before.aheadUsed)));
  }
}
