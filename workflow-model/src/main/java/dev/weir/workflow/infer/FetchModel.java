package dev.weir.workflow.infer;

/**
 * How tasks read files that are not on their node.
 *
 * @param bytesPerSecond bytes per second of a node's link, the same for all nodes, at least 1
 * @param once whether a node caches a file that several of its tasks read, and so fetches it once.
 *     The workers of {@code weir run} do; it is false where each task reads from HDFS.
 * @param chainedBytes size from which a cached file is sent on to the next node while it arrives,
 *     so that all nodes have it in little more than the time of one transfer
 * @param fromNodes whether intermediate files stay on the nodes that make them, and HDFS gets
 *     copies later. Then other places in HDFS only cost transfers: no reader gains.
 */
public record FetchModel(long bytesPerSecond, boolean once, long chainedBytes, boolean fromNodes) {

  /**
   * The usual size from which caches send a file on. The request for the address of a cache takes a
   * few milliseconds; a transfer of this size takes 2 ms at 1 Gbit/s and 220 ms at 10 Mbit/s, and
   * without a chain the last of n readers waits for n of them.
   */
  public static final long CHAINED_BYTES = 256 << 10;

  /** 1 Gbit/s, the default where no link speed is configured. */
  public static final long USUAL_BYTES_PER_SECOND = 125_000_000;

  /** The model of {@code weir run} on a cluster with unknown links. */
  public static final FetchModel USUAL = new FetchModel(USUAL_BYTES_PER_SECOND, true);

  /**
   * Creates the model of caches that send files on from {@link #CHAINED_BYTES}.
   *
   * @param bytesPerSecond bytes per second of a node's link, at least 1
   * @param once whether a node caches a file that several of its tasks read
   */
  public FetchModel(long bytesPerSecond, boolean once) {
    this(bytesPerSecond, once, CHAINED_BYTES, false);
  }

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

  /** Returns a copy in which intermediate files stay on the nodes that make them, or do not. */
  public FetchModel withFilesOnNodes(boolean whether) {
    return new FetchModel(bytesPerSecond, once, chainedBytes, whether);
  }
}
