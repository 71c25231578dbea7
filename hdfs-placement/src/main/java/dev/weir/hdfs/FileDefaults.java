package dev.weir.hdfs;

import dev.weir.hdfs.placement.TargetReplication;
import dev.weir.hints.Hint;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;

/**
 * What a hint makes of the replication and block size of a new file for which the program named
 * none. What the cluster would refuse is not advised.
 *
 * @param minReplication the fewest replicas that a file may have
 * @param maxReplication the most replicas that a file may have
 * @param minBlockSize the smallest block size, in bytes
 * @param checksumBytes a block size is a multiple of it
 */
public record FileDefaults(
    int minReplication, int maxReplication, long minBlockSize, int checksumBytes) {
  /** HDFS allows a file no more blocks than this, so a region needs no more either. */
  private static final long MOST_BLOCKS = 10_000;

  /** What the configuration says that the cluster accepts. */
  public static FileDefaults of(Configuration configuration) {
    return new FileDefaults(
        configuration.getInt(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT),
        configuration.getInt(
            DFSConfigKeys.DFS_REPLICATION_MAX_KEY, DFSConfigKeys.DFS_REPLICATION_MAX_DEFAULT),
        configuration.getLongBytes(
            DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
            DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_DEFAULT),
        configuration.getInt(
            HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY,
            HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT));
  }

  /** How many replicas to create the file with; empty for the default. */
  public OptionalInt replication(Hint hint) {
    int wanted = TargetReplication.wanted(hint);
    if (wanted == Replication.FILES_OWN) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Math.min(Math.max(wanted, minReplication), maxReplication));
  }

  /**
   * What block size to create the file with, in bytes; empty for the default.
   *
   * @param stock the default
   */
  public OptionalLong blockSize(Hint hint, long stock) {
    if (hint.placement().orElse(null) instanceof Placement.Scatter scatter) {
      long region = scatter.regionBytes();
      long named = hint.blockSize().orElse(region);
      // A size that is the region's own says no more than the region does.
      return regionBlock(region, named == region ? Math.max(stock, minBlockSize) : named);
    }
    OptionalLong wanted = hint.blockSize();
    return wanted.isPresent() && isLegal(wanted.getAsLong()) ? wanted : OptionalLong.empty();
  }

  /**
   * The largest legal block size, up to a sensible one, of which a region is a whole number of
   * blocks. Where regions are smaller than any block may be, a block is a whole number of regions.
   * Empty when no legal size ends where the regions end.
   */
  private OptionalLong regionBlock(long region, long sensible) {
    if (region < minBlockSize) {
      return legal(region * ((minBlockSize - 1) / region + 1));
    }
    long fewest = (region - 1) / sensible + 1;
    for (long blocks = fewest; blocks <= MOST_BLOCKS && region / blocks >= minBlockSize; blocks++) {
      if (region % blocks == 0 && isLegal(region / blocks)) {
        return OptionalLong.of(region / blocks);
      }
    }
    return legal(region);
  }

  private OptionalLong legal(long bytes) {
    return isLegal(bytes) ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  private boolean isLegal(long bytes) {
    return bytes >= minBlockSize && bytes % checksumBytes == 0;
  }
}
