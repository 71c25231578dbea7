package dev.weir.workflow.cache;

import java.io.IOException;
import java.nio.file.FileStore;

/**
 * How much of a disk a node's cache may take.
 *
 * @param limitBytes how many bytes it may hold; with 0 it keeps nothing
 * @param leftBytes how many bytes of the disk stay free, whoever has filled the others
 * @param disk what the cache is on
 */
public record CacheLimit(long limitBytes, long leftBytes, Disk disk) {

  /**
   * One part in so many stays free: YARN gives no more work to a node whose disk is 90 % full, and
   * what sandboxes hold comes on top of the cache.
   */
  private static final long LEFT_PART = 5;

  /** What room there is. */
  public interface Disk {

    /**
     * How many bytes this user could still write.
     *
     * @throws IOException when it cannot be told
     */
    long usableBytes() throws IOException;
  }

  /** So many bytes, however full the disk gets. */
  public static CacheLimit of(long limitBytes) {
    return new CacheLimit(limitBytes, 0, () -> Long.MAX_VALUE);
  }

  /**
   * Half of what is free on a disk, as far as a fifth of the disk stays free.
   *
   * @throws IOException when the disk does not say how large it is
   */
  public static CacheLimit shareOf(FileStore disk) throws IOException {
    return shareOf(disk.getTotalSpace(), disk::getUsableSpace);
  }

  static CacheLimit shareOf(long totalBytes, Disk disk) throws IOException {
    long usable = disk.usableBytes();
    long left = totalBytes / LEFT_PART;
    return new CacheLimit(Math.max(0, Math.min(usable / 2, usable - left)), left, disk);
  }

  /** How many bytes have to go from the disk before so many may come. */
  long lacking(long bytes) throws IOException {
    return leftBytes == 0 ? 0 : Math.max(0, leftBytes + bytes - disk.usableBytes());
  }
}
