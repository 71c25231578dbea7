package dev.weir.workflow.cache;

import java.io.IOException;
import java.nio.file.FileStore;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The limit of a node's cache on one disk. A NodeManager starts no containers with a disk that is
 * too full. So what stays free up to there, for sandboxes and for HDFS, is at least as much as the
 * cache has. When other files fill the disk, the limit falls.
 *
 * @param mostBytes maximum bytes of the cache; 0 disables it
 * @param reservedBytes free bytes of the disk below which the NodeManager does not use it
 * @param usableBytes returns how many bytes of the disk this user can still write
 */
public record CacheLimit(long mostBytes, long reservedBytes, CallableRaisingIOE<Long> usableBytes) {

  private static final int MEBI_BITS = 20;
  private static final double PERCENT = 100;

  /** A fixed limit, regardless of the disk's free space. */
  public static CacheLimit of(long limitBytes) {
    return new CacheLimit(limitBytes, 0, () -> Long.MAX_VALUE);
  }

  /**
   * Returns the limit on a disk.
   *
   * @param yarn contains the settings of the NodeManager
   */
  public static CacheLimit on(FileStore disk, long mostBytes, Configuration yarn)
      throws IOException {
    return new CacheLimit(
        mostBytes, reservedBytes(disk.getTotalSpace(), yarn), disk::getUsableSpace);
  }

  /** Returns the least free bytes with which a NodeManager uses a disk. */
  static long reservedBytes(long totalBytes, Configuration yarn) {
    if (!yarn.getBoolean(YarnConfiguration.NM_DISK_HEALTH_CHECK_ENABLE, true)) {
      return 0;
    }
    double used =
        yarn.getBoolean(YarnConfiguration.NM_DISK_UTILIZATION_THRESHOLD_ENABLED, true)
            ? yarn.getFloat(
                YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE,
                YarnConfiguration.DEFAULT_NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE)
            : PERCENT;
    long free =
        yarn.getBoolean(YarnConfiguration.NM_DISK_FREE_SPACE_THRESHOLD_ENABLED, true)
            ? yarn.getLong(YarnConfiguration.NM_MIN_PER_DISK_FREE_SPACE_MB, 0) << MEBI_BITS
            : 0;
    double part = PERCENT - Math.max(0, Math.min(PERCENT, used));
    return Math.max((long) (totalBytes * part / PERCENT), free);
  }

  /**
   * Returns the limit now.
   *
   * @param bytes the size of the cache, with files that are being fetched
   * @param missingBytes bytes of it that are still to be written to the disk
   */
  long bytes(long bytes, long missingBytes) throws IOException {
    long free = usableBytes.apply() - missingBytes - reservedBytes;
    // Each half by itself, because the sum may overflow.
    return Math.max(0, Math.min(mostBytes, free / 2 + bytes / 2));
  }
}
