package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.placement.RejectionReason;
import dev.weir.hdfs.version.StorageRoom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.NullMarked;

/**
 * Finds out why a DataNode cannot take a block, by applying Hadoop's own rules repeatedly with one
 * of them relaxed. Load is ignored, as it is for nodes that a hint wants.
 */
@NullMarked
final class NodeRejections {
  private final BlockPlacementPolicyDefault policy;
  private final BlockTargetRequest request;
  private final Set<StorageType> types;
  private final boolean avoidStale;

  /**
   * Creates the checks for one block.
   *
   * @param types the acceptable storage types
   * @param avoidStale whether stale nodes are avoided
   */
  NodeRejections(
      BlockPlacementPolicyDefault policy,
      BlockTargetRequest request,
      Set<StorageType> types,
      boolean avoidStale) {
    this.policy = policy;
    this.request = request;
    this.types = types;
    this.avoidStale = avoidStale;
  }

  /** Why the node cannot take the block, regardless of other replicas; empty if it can. */
  Optional<RejectionReason> of(DatanodeDescriptor node) {
    return of(node, Integer.MAX_VALUE, List.of());
  }

  /** Why the node cannot take any block of the size, even from another client; empty if it can. */
  Optional<RejectionReason> forAnyClient(DatanodeDescriptor node) {
    return ofHadoop(node, Integer.MAX_VALUE, List.of());
  }

  /**
   * Why the node cannot take the block beside other replicas; empty if it can.
   *
   * @param mostOnRack the most replicas on one rack
   * @param others the other replicas
   */
  Optional<RejectionReason> of(
      DatanodeDescriptor node, int mostOnRack, List<DatanodeStorageInfo> others) {
    return request.excludes(node)
        ? Optional.of(RejectionReason.EXCLUDED)
        : ofHadoop(node, mostOnRack, others);
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
    return types.stream()
        .anyMatch(type -> StorageRoom.isFor(node, policy, type, request.blockSize()));
  }
}
