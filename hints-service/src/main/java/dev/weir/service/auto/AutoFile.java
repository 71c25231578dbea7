package dev.weir.service.auto;

/**
 * A file whose number of replicas follows its use.
 *
 * @param id the inode id
 * @param bytes its length, more than 0
 * @param reads the decayed number of times that all of it was read
 * @param writes the decayed number of times that it was written
 * @param min the replicas that it has in any case
 * @param max the most replicas, at least {@code min}
 * @param present the replicas that it has now
 * @param own the replicas that its owner has set
 */
public record AutoFile(
    String path,
    long id,
    long bytes,
    double reads,
    double writes,
    int min,
    int max,
    int present,
    int own) {
  /** A copy that must be made moves the bytes of the file once, as one write does. */
  private static final double COPY_COST = 1;

  /** A present copy counts for more than an equal one of another file, so that copies stay. */
  private static final double HYSTERESIS = 1.25;

  /** A client asks for the locations of this number of blocks at once, and each call counts. */
  private static final int BLOCKS_PER_OPEN = 10;

  /** Checks the numbers. */
  public AutoFile {
    if (bytes <= 0 || min < 1 || max < min) {
      throw new IllegalArgumentException(
          path + ": " + bytes + " bytes, " + min + " to " + max + " replicas");
    }
  }

  /** Returns how often all of a file was read, of which each open reads a part. */
  public static double wholeReads(double opens, long bytes, long blockSize) {
    double blocks = Math.ceil((double) bytes / Math.max(1, blockSize));
    return opens * Math.min(1, BLOCKS_PER_OPEN / Math.max(1, blocks));
  }

  /**
   * The utility of one more replica, for each byte of the file: with {@code replicas} of them each
   * serves an equal part of the reads, and each has to be written. The unit is accesses to the
   * whole file, of which all counts are decayed alike.
   *
   * @param replicas the number without it, at least 1
   */
  public double utility(int replicas) {
    return reads / ((double) replicas * (replicas + 1)) - writes;
  }

  /** The utility with hysteresis, by which copies are chosen. It decreases with the replicas. */
  public double preference(int replicas) {
    double utility = utility(replicas);
    return replicas < present ? utility * (utility > 0 ? HYSTERESIS : 1) : utility - COPY_COST;
  }
}
