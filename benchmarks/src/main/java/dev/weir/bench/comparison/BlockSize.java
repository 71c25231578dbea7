package dev.weir.bench.comparison;

/**
 * How large blocks are where files are smaller than those that they stand for: a file has as many
 * as the original, and its readers find it on as many nodes. A block has as many packets too, down
 * to the least that is sent at once: with whole packets of HDFS's size and a hundredth of the
 * link's rate the last node of a pipeline would be behind the first by a hundred times as much of a
 * block.
 */
public final class BlockSize {
  /** HDFS's own. */
  public static final long DEFAULT = 128L << 20;

  /** A block is a whole number of checksums; each is of so many bytes. */
  public static final long LEAST = 512;

  /** HDFS's own size of a packet, in bytes. */
  private static final long DEFAULT_PACKET = 64L << 10;

  /** Of smaller ones headers and what each costs a node are too large a part. */
  private static final long LEAST_PACKET = 4L << 10;

  private BlockSize() {}

  /**
   * The default times a factor, in bytes.
   *
   * @param scale the factor of all sizes
   */
  public static long scaled(double scale) {
    return Math.max(1, (long) (DEFAULT * scale / LEAST)) * LEAST;
  }

  /**
   * The size of the packets in which blocks are sent, in bytes: no more than HDFS's own.
   *
   * @param blockBytes size of a block
   */
  static long packet(long blockBytes) {
    double scaled = (double) DEFAULT_PACKET * blockBytes / DEFAULT;
    return Math.max(LEAST_PACKET, Math.min(DEFAULT_PACKET, (long) scaled));
  }
}
