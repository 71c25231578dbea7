package dev.weir.workflow.cache;

import java.io.IOException;
import java.nio.file.FileStore;
import org.apache.hadoop.util.functional.CallableRaisingIOE;

/**
 * The limit of a node's cache.
 *
 * @param limitBytes maximum bytes of the cache; 0 disables it
 * @param leftBytes bytes of the disk that stay free
 * @param usableBytes returns how many bytes of the disk this user can still write
 */
public record CacheLimit(long limitBytes, long leftBytes, CallableRaisingIOE<Long> usableBytes) {

  /**
   * The fraction of the disk that stays free: YARN schedules no work on a node whose disk is 90 %
   * full, and sandboxes need space too.
   */
  private static final long LEFT_PART = 5;

  /** A fixed limit, regardless of the disk's free space. */
  public static CacheLimit of(long limitBytes) {
    return new CacheLimit(limitBytes, 0, () -> Long.MAX_VALUE);
  }

  /**
   * Returns a limit of half of a disk's free space, less if a fifth of the disk would not stay
   * free.
   */
  public static CacheLimit shareOf(FileStore disk) throws IOException {
    return shareOf(disk.getTotalSpace(), disk::getUsableSpace);
  }

  static CacheLimit shareOf(long totalBytes, CallableRaisingIOE<Long> usableBytes)
      throws IOException {
    long usable = usableBytes.apply();
    long left = totalBytes / LEFT_PART;
    return new CacheLimit(Math.max(0, Math.min(usable / 2, usable - left)), left, usableBytes);
  }

  /** Returns how many bytes must be evicted before new ones fit on the disk. */
  long lacking(long bytes) throws IOException {
    return leftBytes == 0 ? 0 : Math.max(0, leftBytes + bytes - usableBytes.apply());
  }
}
