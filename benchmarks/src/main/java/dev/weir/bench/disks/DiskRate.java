package dev.weir.bench.disks;

/**
 * The rate of a disk, which reads and writes share.
 *
 * @param bytes a second
 * @param operations a second
 */
public record DiskRate(long bytes, long operations) {
  private static final long MEGABYTE = 1_000_000;

  /** Reads keep this part of the rate, whatever is written. */
  private static final int LEAST_PART = 10;

  /** Checks the numbers. */
  public DiskRate {
    if (bytes < LEAST_PART || operations < LEAST_PART) {
      throw new IllegalArgumentException(
          bytes + " bytes and " + operations + " operations a second: give at least " + LEAST_PART);
    }
  }

  /**
   * Parses {@code 32,400}: megabytes and operations a second.
   *
   * @throws IllegalArgumentException with what to write
   */
  public static DiskRate parse(String text) {
    String[] parts = text.split(",", -1);
    try {
      if (parts.length == 2) {
        return new DiskRate(
            (long) (Double.parseDouble(parts[0].strip()) * MEGABYTE),
            Long.parseLong(parts[1].strip()));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(remedy(text), e);
    }
    throw new IllegalArgumentException(remedy(text));
  }

  private static String remedy(String text) {
    return "'" + text + "' is no rate of a disk: write MB/s and operations/s, such as 32,400";
  }

  /**
   * Returns what is left for reads.
   *
   * @param written what was written meanwhile
   * @param seconds the duration, more than 0
   */
  public DiskRate without(DiskCounters written, double seconds) {
    return new DiskRate(
        left(bytes, written.writtenBytes() / seconds),
        left(operations, written.writes() / seconds));
  }

  private static long left(long all, double used) {
    return Math.max(Math.max(LEAST_PART, all / LEAST_PART), Math.round(all - used));
  }

  @Override
  public String toString() {
    return bytes / (double) MEGABYTE + " MB/s, " + operations + " operations/s";
  }
}
