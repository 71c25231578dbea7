package dev.weir.hdfs.read;

import java.util.List;

/**
 * A block of the file that is read.
 *
 * @param start its position in the file
 * @param end the position of the next block
 * @param replicas the nearest first
 */
public record ReadBlock(long start, long end, List<BlockReplica> replicas) {
  /** Copies the replicas. */
  public ReadBlock {
    replicas = List.copyOf(replicas);
  }

  /** Whether chunks of the block can come from several DataNodes. A local replica is read alone. */
  public boolean isStripable() {
    return replicas.size() > 1 && replicas.stream().noneMatch(BlockReplica::isLocal);
  }
}
