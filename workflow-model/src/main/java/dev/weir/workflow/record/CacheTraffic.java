package dev.weir.workflow.record;

/**
 * What the caches of a run's nodes did for each other, and for tasks before these were ready. All
 * in bytes.
 *
 * @param between input bytes that came from the cache of another node instead of HDFS; also counted
 *     as read from other nodes
 * @param ahead bytes that were copied to a node before a task that reads them was ready
 * @param aheadUsed how many of these a task of that node has read
 */
public record CacheTraffic(long between, long ahead, long aheadUsed) {

  /** Nothing. */
  public static final CacheTraffic NONE = new CacheTraffic(0, 0, 0);

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when a number is negative, or more was used than copied
   */
  public CacheTraffic {
    if (between < 0 || aheadUsed < 0 || ahead < aheadUsed) {
      throw new IllegalArgumentException(
          "Caches: " + between + " bytes between, " + aheadUsed + " used of " + ahead + " ahead");
    }
  }

  /**
   * What was done after a moment. What was copied before it and used after it does not count.
   *
   * @param before what was done until then
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
