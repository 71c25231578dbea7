package dev.weir.hdfs.gather;

/**
 * How a gather is committed.
 *
 * @param regions the expected number of regions; {@link GatherSpec#UNKNOWN} for the number given at
 *     the beginning
 * @param replace whether an existing target is replaced, atomically for readers that open it;
 *     readers that have it open may lose it, as with any replaced file
 */
public record CommitOptions(int regions, boolean replace) {
  /** Expects the number of regions given at the beginning; replaces nothing. */
  public static final CommitOptions PLAIN = new CommitOptions(GatherSpec.UNKNOWN, false);

  /** Validates the number. */
  public CommitOptions {
    if (regions < GatherSpec.UNKNOWN || regions > GatherSpec.MAX_REGIONS) {
      throw new IllegalArgumentException(
          regions + " is not a number of regions; write 1 to " + GatherSpec.MAX_REGIONS);
    }
  }

  /** A copy with a number of regions. */
  public CommitOptions withRegions(int number) {
    return new CommitOptions(number, replace);
  }

  /** A copy that replaces an existing target. */
  public CommitOptions replacing() {
    return new CommitOptions(regions, true);
  }
}
