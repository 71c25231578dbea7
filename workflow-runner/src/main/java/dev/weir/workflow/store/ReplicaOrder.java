package dev.weir.workflow.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Orders the replicas of listed blocks for a reader: its own node first, then its rack,
 * decommissioning nodes last, equals at random. The NameNode does so for a file that is opened, but
 * not for one that is listed.
 */
final class ReplicaOrder {

  private final String node;
  private final Random random;
  private volatile String rack = "";

  ReplicaOrder(String node, Random random) {
    this.node = node;
    this.random = random;
  }

  /**
   * Returns the hosts that hold all blocks; none for an erasure-coded file.
   *
   * @return in the order of the first block's replicas; when it is empty, several hosts share the
   *     load of reading the file
   */
  static List<String> holders(LocatedBlocks blocks) {
    Set<String> all = null;
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      if (block.isStriped()) {
        return List.of();
      }
      List<String> hosts =
          Arrays.stream(block.getLocations()).map(DatanodeInfo::getHostName).toList();
      if (all == null) {
        all = new LinkedHashSet<>(hosts);
      } else {
        all.retainAll(hosts);
      }
    }
    return all == null ? List.of() : List.copyOf(all);
  }

  void sort(LocatedBlocks blocks) {
    sort(blocks, "");
  }

  /**
   * Orders the replicas.
   *
   * @param first host whose replicas come first in any case; empty for none
   */
  void sort(LocatedBlocks blocks, String first) {
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      // The order of an erasure-coded block's locations identifies its parts.
      if (block.getLocations().length > 1 && !block.isStriped()) {
        sort(block, first);
      }
    }
  }

  /** Moves the first node, which does not answer, behind the others. */
  static void demoteFirst(LocatedBlock block) {
    Collections.rotate(Arrays.asList(block.getLocations()), -1);
    block.updateCachedStorageInfo();
  }

  private void sort(LocatedBlock block, String first) {
    DatanodeInfoWithStorage[] locations = block.getLocations();
    for (DatanodeInfo location : locations) {
      if (location.getHostName().equals(node)) {
        rack = location.getNetworkLocation();
      }
    }
    List<DatanodeInfoWithStorage> order = new ArrayList<>(Arrays.asList(locations));
    Collections.shuffle(order, random);
    order.sort(Comparator.comparingInt(location -> distance(location, first)));
    order.toArray(locations);
    block.updateCachedStorageInfo();
  }

  private int distance(DatanodeInfo location, String first) {
    if (location.getHostName().equals(first)) {
      return -1;
    }
    if (!location.isInService()) {
      return 3;
    }
    if (location.getHostName().equals(node)) {
      return 0;
    }
    return location.getNetworkLocation().equals(rack) ? 1 : 2;
  }
}
