package dev.weir.hdfs.gather;

import java.time.Duration;

/**
 * The parameters of a gather.
 *
 * @param regionBytes the size of a region; the last one may be smaller
 * @param regions the number of regions, up to {@value #MAX_REGIONS}; {@value #UNKNOWN} if only the
 *     commit knows it
 * @param replication of the file; {@value #STOCK} for the default of its path, hints included
 * @param blockSize of the file, in bytes; {@value #STOCK} for the largest size up to the path's
 *     default that divides a region into whole blocks
 * @param lifetime after which an uncommitted gather may be removed
 */
public record GatherSpec(
    long regionBytes, int regions, int replication, long blockSize, Duration lifetime) {
  /** The NameNode's default limit of blocks in a file. */
  public static final int MAX_REGIONS = 10_000;

  /** Only the commit knows the number of regions. */
  public static final int UNKNOWN = 0;

  /** The default of the path applies. */
  public static final int STOCK = 0;

  /** The default lifetime of a gather. */
  public static final Duration DEFAULT_LIFETIME = Duration.ofDays(1);

  /**
   * Validates the parameters as far as possible without the cluster.
   *
   * @throws IllegalArgumentException if one is invalid
   */
  public GatherSpec {
    if (regionBytes < 1) {
      throw new IllegalArgumentException(
          "region size must be at least 1 byte, but is " + regionBytes + " bytes");
    }
    if (regions < UNKNOWN || regions > MAX_REGIONS) {
      throw new IllegalArgumentException(
          regions
              + " is not a number of regions; write 1 to "
              + MAX_REGIONS
              + ", or larger regions");
    }
    if (replication < STOCK || replication > Short.MAX_VALUE || blockSize < STOCK) {
      throw new IllegalArgumentException(
          "invalid replication " + replication + " or block size " + blockSize + " bytes");
    }
    if (lifetime.isNegative() || lifetime.isZero()) {
      throw new IllegalArgumentException(
          "the lifetime of a gather must be positive, but is " + lifetime);
    }
  }

  /** A spec with a region size and defaults for everything else. */
  public static GatherSpec ofRegions(long regionBytes) {
    return new GatherSpec(regionBytes, UNKNOWN, STOCK, STOCK, DEFAULT_LIFETIME);
  }

  /** A copy with a number of regions. */
  public GatherSpec withRegions(int number) {
    return new GatherSpec(regionBytes, number, replication, blockSize, lifetime);
  }

  /** A copy with a replication. */
  public GatherSpec withReplication(int number) {
    return new GatherSpec(regionBytes, regions, number, blockSize, lifetime);
  }

  /** A copy with a block size, in bytes. */
  public GatherSpec withBlockSize(long bytes) {
    return new GatherSpec(regionBytes, regions, replication, bytes, lifetime);
  }

  /** A copy with a lifetime. */
  public GatherSpec withLifetime(Duration time) {
    return new GatherSpec(regionBytes, regions, replication, blockSize, time);
  }
}
