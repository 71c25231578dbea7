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
 * Derives the replication and block size arguments of HDFS's {@code create} from a file's hint, for
 * programs that named none. Values that the cluster would refuse are not returned.
 *
 * @param minReplication the fewest replicas that a file may have
 * @param maxReplication the most replicas that a file may have
 * @param minBlockSize the smallest block size, in bytes
 * @param checksumBytes a block size must be a multiple of this
 */
public record CreateParameterResolver(
    int minReplication, int maxReplication, long minBlockSize, int checksumBytes) {
  /** HDFS' default limit of blocks in a file, which also limits the blocks of a region. */
  private static final long MAX_BLOCKS = 10_000;

  /** Reads the cluster's limits from the configuration. */
  public static CreateParameterResolver of(Configuration configuration) {
    return new CreateParameterResolver(
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

  /** The replication to create the file with; empty for the default. */
  public OptionalInt replication(Hint hint) {
    int wanted = TargetReplication.wanted(hint);
    if (wanted == Replication.FILES_OWN) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Math.min(Math.max(wanted, minReplication), maxReplication));
  }

  /**
   * The block size to create the file with, in bytes; empty for the default.
   *
   * @param stock the default
   */
  public OptionalLong blockSize(Hint hint, long stock) {
    if (hint.placement().orElse(null) instanceof Placement.Scatter scatter) {
      long region = scatter.regionBytes();
      long requested = hint.blockSize().orElse(region);
      // A block size equal to the region adds no information.
      return regionBlock(region, requested == region ? Math.max(stock, minBlockSize) : requested);
    }
    OptionalLong wanted = hint.blockSize();
    return wanted.isPresent() && isLegal(wanted.getAsLong()) ? wanted : OptionalLong.empty();
  }

  /**
   * The largest legal block size up to a preferred one that divides a region into whole blocks. If
   * regions are smaller than the smallest block, a block is a whole number of regions. Empty if no
   * legal size ends where the regions end.
   */
  private OptionalLong regionBlock(long region, long preferred) {
    if (region < minBlockSize) {
      return legal(region * ((minBlockSize - 1) / region + 1));
    }
    long minBlocks = (region - 1) / preferred + 1;
    for (long blocks = minBlocks;
        blocks <= MAX_BLOCKS && region / blocks >= minBlockSize;
        blocks++) {
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
