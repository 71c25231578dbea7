package dev.weir.workflow.infer;

/**
 * How tasks read files that are not on their node.
 *
 * @param bytesPerSecond bytes per second of a node's link, the same for all nodes, at least 1
 * @param once whether a node caches a file that several of its tasks read, and so fetches it once.
 *     The workers of {@code weir run} do; it is false where each task reads from HDFS.
 */
public record FetchModel(long bytesPerSecond, boolean once) {

  /** 1 Gbit/s, the default where no link speed is configured. */
  public static final long USUAL_BYTES_PER_SECOND = 125_000_000;

  /** The model of {@code weir run} on a cluster with unknown links. */
  public static final FetchModel USUAL = new FetchModel(USUAL_BYTES_PER_SECOND, true);

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the speed is less than 1
   */
  public FetchModel {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "Links that carry " + bytesPerSecond + " bytes a second: give 1 or more");
    }
  }
}
