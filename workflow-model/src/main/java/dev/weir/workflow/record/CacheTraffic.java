package dev.weir.workflow.record;

/**
 * The bytes that the node caches of a run exchanged.
 *
 * @param between input bytes that came from the cache of another node instead of HDFS; also counted
 *     as read from other nodes
 */
public record CacheTraffic(long between) {

  /** No traffic. */
  public static final CacheTraffic NONE = new CacheTraffic(0);

  /**
   * Validates the number.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public CacheTraffic {
    if (between < 0) {
      throw new IllegalArgumentException("Caches: " + between + " bytes between");
    }
  }

  /** Returns the traffic since a snapshot. */
  public CacheTraffic since(CacheTraffic before) {
    return new CacheTraffic(Math.max(0, between - before.between));
  }
}
