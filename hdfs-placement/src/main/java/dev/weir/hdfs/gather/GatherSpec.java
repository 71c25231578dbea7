package dev.weir.hdfs.gather;

import java.time.Duration;

/**
 * What a gather is to be.
 *
 * @param regionBytes how many bytes a region has; the last one may have fewer
 * @param regions how many there are, up to {@value #MOST_REGIONS}; {@value #UNKNOWN} when only the
 *     commit knows
 * @param replication of the file; {@value #STOCK} for the default of its path, hints included
 * @param blockSize of the file, in bytes; {@value #STOCK} for the largest up to the default of its
 *     path of which a region is a whole number of blocks
 * @param lifetime after which the gather may be swept away when nobody has committed it
 */
public record GatherSpec(
    long regionBytes, int regions, int replication, long blockSize, Duration lifetime) {
  /** A file of HDFS has no more blocks than this, unless the NameNode is set otherwise. */
  public static final int MOST_REGIONS = 10_000;

  /** For a number of regions that only the commit knows. */
  public static final int UNKNOWN = 0;

  /** For the default of the path. */
  public static final int STOCK = 0;

  /** How long a gather lives unless it is told otherwise. */
  public static final Duration DEFAULT_LIFETIME = Duration.ofDays(1);

  /**
   * Checks all of it but what only the cluster knows.
   *
   * @throws IllegalArgumentException when something cannot be
   */
  public GatherSpec {
    if (regionBytes < 1) {
      throw new IllegalArgumentException(
          "a region of " + regionBytes + " bytes cannot be; it has 1 or more");
    }
    if (regions < UNKNOWN || regions > MOST_REGIONS) {
      throw new IllegalArgumentException(
          regions + " regions cannot be; write 1 to " + MOST_REGIONS + ", or larger regions");
    }
    if (replication < STOCK || replication > Short.MAX_VALUE || blockSize < STOCK) {
      throw new IllegalArgumentException(
          "a replication of " + replication + " with blocks of " + blockSize + " cannot be");
    }
    if (lifetime.isNegative() || lifetime.isZero()) {
      throw new IllegalArgumentException("a gather cannot live for " + lifetime);
    }
  }

  /** Regions of that many bytes, everything else left open. */
  public static GatherSpec ofRegions(long regionBytes) {
    return new GatherSpec(regionBytes, UNKNOWN, STOCK, STOCK, DEFAULT_LIFETIME);
  }

  /** With that many regions. */
  public GatherSpec withRegions(int number) {
    return new GatherSpec(regionBytes, number, replication, blockSize, lifetime);
  }

  /** With that replication. */
  public GatherSpec withReplication(int number) {
    return new GatherSpec(regionBytes, regions, number, blockSize, lifetime);
  }

  /** With that block size, in bytes. */
  public GatherSpec withBlockSize(long bytes) {
    return new GatherSpec(regionBytes, regions, replication, bytes, lifetime);
  }

  /** With that lifetime. */
  public GatherSpec withLifetime(Duration time) {
    return new GatherSpec(regionBytes, regions, replication, blockSize, time);
  }
}
