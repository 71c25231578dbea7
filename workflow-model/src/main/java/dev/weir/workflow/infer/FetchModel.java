package dev.weir.workflow.infer;

/**
 * How tasks come to what is not on their node.
 *
 * @param bytesPerSecond what the link of a node carries, the same for all nodes, at least 1
 * @param once whether a node keeps what several of its tasks read, so that it fetches that once, as
 *     the workers of {@code weir run} do; not where each task reads from HDFS anew
 */
public record FetchModel(long bytesPerSecond, boolean once) {

  /** 1 Gbit/s, where nobody says how fast links are. */
  public static final long USUAL_BYTES_PER_SECOND = 125_000_000;

  /** In a run of {@code weir run} on a cluster of whose links nothing is known. */
  public static final FetchModel USUAL = new FetchModel(USUAL_BYTES_PER_SECOND, true);

  /**
   * Checks.
   *
   * @throws IllegalArgumentException when links carry nothing
   */
  public FetchModel {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "Links that carry " + bytesPerSecond + " bytes a second: give 1 or more");
    }
  }
}
