package dev.weir.hdfs.gather;

/**
 * How a gather is to be committed.
 *
 * @param regions how many there have to be; {@link GatherSpec#UNKNOWN} for as many as was said at
 *     the beginning
 * @param replace whether a file that is at the target already is replaced, atomically for who opens
 *     it; who has it open may lose it, as with every file that is replaced
 */
public record CommitOptions(int regions, boolean replace) {
  /** As many regions as was said at the beginning; nothing is replaced. */
  public static final CommitOptions PLAIN = new CommitOptions(GatherSpec.UNKNOWN, false);

  /** Checks the number. */
  public CommitOptions {
    if (regions < GatherSpec.UNKNOWN || regions > GatherSpec.MOST_REGIONS) {
      throw new IllegalArgumentException(
          regions + " regions cannot be; write 1 to " + GatherSpec.MOST_REGIONS);
    }
  }

  /** With that number of regions. */
  public CommitOptions withRegions(int number) {
    return new CommitOptions(number, replace);
  }

  /** Replacing what is there. */
  public CommitOptions replacing() {
    return new CommitOptions(regions, true);
  }
}
