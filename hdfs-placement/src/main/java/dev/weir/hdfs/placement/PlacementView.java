package dev.weir.hdfs.placement;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The input of a placement decision about one block.
 *
 * @param <S> a DataNode
 */
public interface PlacementView<S extends Site> {
  /** The path of the block's file, as its client or the NameNode names it. */
  String path();

  /** Whether the block is being written, as opposed to re-replicated. */
  boolean isNewBlock();

  /** The number of replicas that HDFS requests now, besides those of {@link #chosen}. */
  int replicas();

  /** How many replicas HDFS requires for a complete block. */
  int minReplicas();

  /** The replication of files whose writers choose none. */
  int defaultReplication();

  /** Whether HDFS has so many copies to make that files should not rely on it for more. */
  boolean isBacklogged();

  /** The largest possible size of the block, in bytes. */
  long blockSize();

  /** The index of a new block in its file, 0 for the first; empty if unknown. */
  OptionalInt blockIndex();

  /** The DataNode on the writer's host; null if there is none. */
  @Nullable S writer();

  /** The sites that already have the block. */
  List<S> chosen();

  /** All DataNodes of the topology. */
  Sites<S> sites();

  /**
   * Whether a DataNode can take a block of the size now, even if this block's client has excluded
   * it.
   *
   * @param number its number among {@link #sites}
   */
  boolean isEligible(int number);
}
