package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@link BlockPlacementPolicy#chooseTarget}, without those that are constant
 * whenever hints apply.
 */
@NullMarked
record BlockTargetRequest(
    String src,
    int replicas,
    @Nullable Node writer,
    List<DatanodeStorageInfo> chosen,
    @Nullable Set<Node> excluded,
    long blockSize,
    BlockStoragePolicy storagePolicy,
    @Nullable EnumSet<AddBlockFlag> flags) {

  /** Hadoop passes flags only when a block is written. */
  boolean isNewBlock() {
    return flags != null;
  }

  /**
   * Whether hints may apply: not for a WebHDFS redirect, which has neither flags nor replicas, nor
   * if local nodes are excluded.
   */
  static boolean isOpenToHints(
      @Nullable EnumSet<AddBlockFlag> flags, List<DatanodeStorageInfo> chosen) {
    return flags == null
        ? !chosen.isEmpty()
        : !flags.contains(AddBlockFlag.NO_LOCAL_WRITE)
            && !flags.contains(AddBlockFlag.NO_LOCAL_RACK);
  }

  boolean excludes(Node node) {
    return excluded != null && excluded.contains(node);
  }

  /**
   * The excluded nodes and those of replicas, as a mutable set for the caller.
   *
   * @param policy may exclude other nodes for the sake of a replica
   */
  Set<Node> excludedAnd(List<DatanodeStorageInfo> replicas, BlockPlacementPolicyDefault policy) {
    Set<Node> all =
        excluded == null || excluded.isEmpty() ? new HashSet<>() : new HashSet<>(excluded);
    replicas.forEach(storage -> policy.addToExcludedNodes(storage.getDatanodeDescriptor(), all));
    return all;
  }

  /** The storage types for a total number of replicas, as a mutable map for the caller. */
  EnumMap<StorageType, Integer> storageTypes(int all) {
    EnumMap<StorageType, Integer> types = new EnumMap<>(StorageType.class);
    List<StorageType> required =
        storagePolicy.chooseStorageTypes(
            (short) all,
            DatanodeStorageInfo.toStorageTypes(chosen),
            EnumSet.noneOf(StorageType.class),
            isNewBlock());
    required.forEach(type -> types.merge(type, 1, Integer::sum));
    return types;
  }

  /** Removes the storage types of existing replicas. */
  static void without(EnumMap<StorageType, Integer> types, List<DatanodeStorageInfo> replicas) {
    for (DatanodeStorageInfo replica : replicas) {
      types.computeIfPresent(replica.getStorageType(), (type, left) -> left > 1 ? left - 1 : null);
    }
  }
}
