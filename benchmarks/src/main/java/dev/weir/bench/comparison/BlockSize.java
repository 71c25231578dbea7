package dev.weir.bench.comparison;

/**
 * Scales blocks and packets with the size of files. A scaled file has as many blocks as the
 * original, and its readers find it on as many nodes. A block also has as many packets, down to the
 * minimum packet size. With packets of HDFS's size and a hundredth of the link's rate, the last
 * node of a pipeline would lag behind the first by a hundred times as much of a block.
 */
public final class BlockSize {
  /** HDFS's own block size. */
  public static final long DEFAULT = 128L << 20;

  /** A block has a whole number of checksums, each over this number of bytes. */
  public static final long CHECKSUM_BYTES = 512;

  /** HDFS's own packet size, in bytes. */
  private static final long DEFAULT_PACKET = 64L << 10;

  /** In smaller packets, headers and the fixed costs of a node dominate. */
  private static final long MIN_PACKET = 4L << 10;

  private BlockSize() {}

  /** Returns the default block size times a factor, in bytes. */
  public static long scaled(double scale) {
    return Math.max(1, (long) (DEFAULT * scale / CHECKSUM_BYTES)) * CHECKSUM_BYTES;
  }

  /**
   * Returns the packet size for a block size, in bytes; at most HDFS's own.
   *
   * @param blockBytes size of a block
   */
  static long packet(long blockBytes) {
    double scaled = (double) DEFAULT_PACKET * blockBytes / DEFAULT;
    return Math.max(MIN_PACKET, Math.min(DEFAULT_PACKET, (long) scaled));
  }
}
