package dev.weir.workflow.store;

/**
 * Chooses the size of the packets in which HDFS passes a file from node to node. A node passes a
 * packet on when it has all of it, so the last node of a pipeline lags by one packet for each node
 * before it. With Hadoop's 64 KiB and 19 nodes that is almost a second on links of 10 Mbit/s. It
 * recurs at the end of each block, because the next one starts when all nodes have the last. Small
 * packets keep the lag small relative to the file, and cost processor time on each node.
 */
final class PacketSize {

  /** Headers and checksums are a fiftieth of a packet of this size. */
  private static final int MIN_BYTES = 4 << 10;

  /** The lag may be at most this part of the time of a block. */
  private static final int MAX_LAG_PART = 16;

  /**
   * A packet takes at least this part of a second, 125 µs, on a link; the size is rounded down to a
   * power of two. That is several times the processing time of a packet, so the link stays the
   * bottleneck.
   */
  private static final long MIN_PACKETS_INVERSE = 8_000;

  /** A lag below this is negligible beside the cost of creating a file. */
  private static final double NEGLIGIBLE_SECONDS = 0.02;

  private PacketSize() {}

  /** Returns whether the lag is negligible even when all bytes are in one packet. */
  private static boolean isLagNegligible(int replicas, long bytes, long bytesPerSecond) {
    return (replicas - 1) * (double) bytes / bytesPerSecond < NEGLIGIBLE_SECONDS;
  }

  /**
   * Returns the packet size.
   *
   * @param replicas length of the pipeline
   * @param bytes size of a block, or of a shorter file
   * @param bytesPerSecond bandwidth of a link
   * @param usual upper limit of the size, in bytes
   * @return the size in bytes; the usual one where a smaller one gains little
   */
  static int of(int replicas, long bytes, long bytesPerSecond, int usual) {
    if (replicas < 2 || usual <= MIN_BYTES || isLagNegligible(replicas, bytes, bytesPerSecond)) {
      return usual;
    }
    long sufficient = bytes / (MAX_LAG_PART * (replicas - 1L));
    long minimum = Math.max(MIN_BYTES, bytesPerSecond / MIN_PACKETS_INVERSE);
    return (int) Math.min(usual, Long.highestOneBit(Math.max(sufficient, minimum)));
  }
}
