package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.placement.RejectionReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.NullMarked;

/**
 * Why a DataNode cannot take a block, found by asking Hadoop's own rules again with one of them
 * loosened after the other. Load does not count, for it does not for a node that a hint wants.
 */
@NullMarked
final class NodeRejections {
  private final BlockPlacementPolicyDefault policy;
  private final BlockTargetRequest ask;
  private final Set<StorageType> types;
  private final boolean avoidStale;

  /**
   * Refusals of one block.
   *
   * @param types the types of storage that will do
   * @param avoidStale whether stale nodes are avoided
   */
  NodeRejections(
      BlockPlacementPolicyDefault policy,
      BlockTargetRequest ask,
      Set<StorageType> types,
      boolean avoidStale) {
    this.policy = policy;
    this.ask = ask;
    this.types = types;
    this.avoidStale = avoidStale;
  }

  /** Why the node cannot take the block wherever else it is; empty when it can. */
  Optional<RejectionReason> of(DatanodeDescriptor node) {
    return of(node, Integer.MAX_VALUE, List.of());
  }

  /** Why the node cannot take any block of the size, also from another client. */
  Optional<RejectionReason> ofBlocks(DatanodeDescriptor node) {
    return ofHadoop(node, Integer.MAX_VALUE, List.of());
  }

  /**
   * The same where the block has other replicas.
   *
   * @param mostOnRack how many replicas may be on one rack
   * @param others the other replicas
   */
  Optional<RejectionReason> of(DatanodeDescriptor node, int mostOnRack, List<DatanodeStorageInfo> others) {
    return ask.excludes(node) ? Optional.of(RejectionReason.EXCLUDED) : ofHadoop(node, mostOnRack, others);
  }

  private Optional<RejectionReason> ofHadoop(
      DatanodeDescriptor node, int mostOnRack, List<DatanodeStorageInfo> others) {
    if (policy.isGoodDatanode(node, mostOnRack, false, others, avoidStale)) {
      return hasRoom(node) ? Optional.empty() : Optional.of(RejectionReason.FULL);
    }
    if (!node.isInService()) {
      return Optional.of(RejectionReason.LEAVING);
    }
    if (policy.isGoodDatanode(node, Integer.MAX_VALUE, false, List.of(), avoidStale)) {
      return Optional.of(RejectionReason.RACK);
    }
    return policy.isGoodDatanode(node, Integer.MAX_VALUE, false, List.of(), false)
        ? Optional.of(RejectionReason.STALE)
        : Optional.of(RejectionReason.SLOW);
  }

  private boolean hasRoom(DatanodeDescriptor node) {
    int minBlocks = policy.getMinBlocksForWrite();
    for (StorageType type : types) {
      if (node.chooseStorage4Block(type, ask.blockSize(), minBlocks) != null) {
        return true;
      }
    }
    return false;
  }
}
