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
 * What Hadoop asks of {@link BlockPlacementPolicy#chooseTarget}, less what is the same whenever
 * hints matter.
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

  /** Only the write of a block passes flags. */
  boolean isNewBlock() {
    return flags != null;
  }

  /** Not a WebHDFS redirect, which has neither flags nor replicas, and nothing local ruled out. */
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

  /** A set for the callee to change. */
  Set<Node> excludedAnd(List<DatanodeStorageInfo> others) {
    Set<Node> all =
        excluded == null || excluded.isEmpty() ? new HashSet<>() : new HashSet<>(excluded);
    others.forEach(storage -> all.add(storage.getDatanodeDescriptor()));
    return all;
  }

  /** The types of storage for so many replicas in all, for the callee to change. */
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

  /** Takes from the types of storage those that replicas have already. */
  static void without(EnumMap<StorageType, Integer> types, List<DatanodeStorageInfo> replicas) {
    for (DatanodeStorageInfo replica : replicas) {
      types.computeIfPresent(replica.getStorageType(), (type, left) -> left > 1 ? left - 1 : null);
    }
  }
}
