package dev.weir.hdfs.placement;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a decision about one block may know.
 *
 * @param <S> a DataNode
 */
public interface PlacementView<S extends Site> {
  /** The path of the block's file, as its client or the NameNode names it. */
  String path();

  /** Whether the block is being written, not copied from where it is. */
  boolean isNewBlock();

  /** How many replicas HDFS asks for now, besides those of {@link #chosen}. */
  int replicas();

  /** How many replicas HDFS wants of a block before it takes it as written. */
  int minReplicas();

  /** The most bytes that the block can have. */
  long blockSize();

  /** Which block of its file a new block is, 0 for the first; empty when that is not known. */
  OptionalInt blockIndex();

  /** The DataNode on the writer's own host; null when the writer's host has none. */
  @Nullable S writer();

  /** Where the block already is. */
  List<S> chosen();

  /** All DataNodes of the topology. */
  Sites<S> sites();

  /**
   * Whether a DataNode can take a block of the size now, even if this block's client has ruled it
   * out.
   *
   * @param number its number among {@link #sites}
   */
  boolean isAble(int number);
}
