package dev.weir.bench.disks;

import java.util.List;

/**
 * What a block device has done.
 *
 * @param readBytes the bytes read
 * @param reads the completed reads
 * @param writtenBytes the bytes written
 * @param writes the completed writes
 */
public record DiskCounters(long readBytes, long reads, long writtenBytes, long writes) {
  public static final DiskCounters NONE = new DiskCounters(0, 0, 0, 0);

  /** The unit of the kernel, whatever the device's own is. */
  private static final long SECTOR_BYTES = 512;

  private static final int READ_SECTORS = 2;
  private static final int WRITES = 4;
  private static final int WRITTEN_SECTORS = 6;

  /** Parses {@code /sys/block/DEVICE/stat}. */
  static DiskCounters parse(String stat) {
    List<Long> fields = List.of(stat.strip().split("\\s+")).stream().map(Long::valueOf).toList();
    return new DiskCounters(
        fields.get(READ_SECTORS) * SECTOR_BYTES,
        fields.get(0),
        fields.get(WRITTEN_SECTORS) * SECTOR_BYTES,
        fields.get(WRITES));
  }

  /** Returns the sum. */
  public DiskCounters plus(DiskCounters other) {
    return new DiskCounters(
        readBytes + other.readBytes,
        reads + other.reads,
        writtenBytes + other.writtenBytes,
        writes + other.writes);
  }

  /** Returns what was done since earlier counters. */
  public DiskCounters since(DiskCounters earlier) {
    return new DiskCounters(
        readBytes - earlier.readBytes,
        reads - earlier.reads,
        writtenBytes - earlier.writtenBytes,
        writes - earlier.writes);
  }
}
