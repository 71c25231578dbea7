package dev.weir.bench.real;

/**
 * How large blocks are where files are smaller than those that they stand for: a file has as many
 * as the original, and its readers find it on as many nodes.
 */
public final class BlockSize {
  /** HDFS's own. */
  public static final long DEFAULT = 128L << 20;

  /** A block is a whole number of checksums; each is of so many bytes. */
  public static final long LEAST = 512;

  private BlockSize() {}

  /**
   * The default times a factor, in bytes.
   *
   * @param scale the factor of all sizes
   */
  public static long scaled(double scale) {
    return Math.max(1, (long) (DEFAULT * scale / LEAST)) * LEAST;
  }
}
