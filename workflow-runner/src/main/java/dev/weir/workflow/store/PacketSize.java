package dev.weir.workflow.store;

/**
 * How large the packets are in which HDFS passes a file from node to node. A node passes one on
 * when it has all of it, so the last node of a pipeline is behind the first by a packet for each
 * node between them: with Hadoop's 64 KiB and 19 nodes by almost a second on links of 10 Mbit/s,
 * and again at the end of each block, for the next one is begun when all nodes have the last. Small
 * packets keep that small beside the file, and cost processor time on each node.
 */
final class PacketSize {

  /** Headers and checksums are a fiftieth of it. */
  private static final int LEAST_BYTES = 4 << 10;

  /** The last node is to be behind the first by no more than this part of the time of a block. */
  private static final int PART = 16;

  /**
   * What a link carries in such a part of a second, 125 µs, is a packet at least, rounded down to a
   * power of two: some times what a node works at one, so that links remain what the file waits
   * for.
   */
  private static final long LEAST_PART_OF_SECOND = 8_000;

  /** Of lag, so much is nothing beside what it costs to make a file. */
  private static final double LITTLE_SECONDS = 0.02;

  private PacketSize() {}

  /** Whether the last node is hardly behind the first also if all is in one packet. */
  private static boolean isSoonOnAll(int replicas, long bytes, long bytesPerSecond) {
    return (replicas - 1) * (double) bytes / bytesPerSecond < LITTLE_SECONDS;
  }

  /**
   * Chooses it.
   *
   * @param replicas how many nodes get the file, one from the other
   * @param bytes of a block, or of a file that is shorter
   * @param bytesPerSecond of a link
   * @param usual the size that is never exceeded, in bytes
   * @return in bytes; the usual one where a smaller one gains nothing to speak of
   */
  static int of(int replicas, long bytes, long bytesPerSecond, int usual) {
    if (replicas < 2 || usual <= LEAST_BYTES || isSoonOnAll(replicas, bytes, bytesPerSecond)) {
      return usual;
    }
    long sufficient = bytes / (PART * (replicas - 1L));
    long least = Math.max(LEAST_BYTES, bytesPerSecond / LEAST_PART_OF_SECOND);
    return (int) Math.min(usual, Long.highestOneBit(Math.max(sufficient, least)));
  }
}
