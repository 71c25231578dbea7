package dev.weir.workflow.record;

/**
 * How full the cache and the disk of a node were when an attempt ended there.
 *
 * @param cacheBytes size of the node's cache with the files that only the node has
 * @param diskFreeBytes free space of the disk with the sandboxes; 0 if not measured
 */
public record NodeFill(long cacheBytes, long diskFreeBytes) {

  /** Not measured. */
  public static final NodeFill UNKNOWN = new NodeFill(0, 0);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if a number is negative
   */
  public NodeFill {
    if (cacheBytes < 0 || diskFreeBytes < 0) {
      throw new IllegalArgumentException(
          "A cache has " + cacheBytes + " bytes and a disk " + diskFreeBytes + " free ones");
    }
  }
}
