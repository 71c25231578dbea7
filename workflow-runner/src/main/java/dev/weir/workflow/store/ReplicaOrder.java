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
 * Orders the replicas of listed blocks for a reader: its own node first, its rack next, nodes that
 * are on their way out last, and equals at random. The NameNode does that for a file that is
 * opened, and not for one that is listed.
 */
final class ReplicaOrder {

  private final String node;
  private final Random random;
  private volatile String rack = "";

  /**
   * For readers of one node.
   *
   * @param node host name of its DataNode
   * @param random orders equals
   */
  ReplicaOrder(String node, Random random) {
    this.node = node;
    this.random = random;
  }

  /**
   * Hosts that hold all blocks. Of an erasure-coded file none does.
   *
   * @return in the order of the first block's replicas; empty when no host holds all of them: the
   *     load of reading the file is spread then
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
   * Orders them.
   *
   * @param first host whose replicas come first, wherever it is; empty for none
   */
  void sort(LocatedBlocks blocks, String first) {
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      // The order of an erasure-coded block's places says which is which.
      if (block.getLocations().length > 1 && !block.isStriped()) {
        sort(block, first);
      }
    }
  }

  /** Puts the node that was to be read from behind the others: it does not answer. */
  static void demoteFirst(LocatedBlock block) {
    Collections.rotate(Arrays.asList(block.getLocations()), -1);
    block.updateCachedStorageInfo();
  }

  private void sort(LocatedBlock block, String first) {
    DatanodeInfoWithStorage[] places = block.getLocations();
    for (DatanodeInfo place : places) {
      if (place.getHostName().equals(node)) {
        rack = place.getNetworkLocation();
      }
    }
    List<DatanodeInfoWithStorage> order = new ArrayList<>(Arrays.asList(places));
    Collections.shuffle(order, random);
    order.sort(Comparator.comparingInt(place -> distance(place, first)));
    order.toArray(places);
    block.updateCachedStorageInfo();
  }

  private int distance(DatanodeInfo place, String first) {
    if (place.getHostName().equals(first)) {
      return -1;
    }
    if (!place.isInService()) {
      return 3;
    }
    if (place.getHostName().equals(node)) {
      return 0;
    }
    return place.getNetworkLocation().equals(rack) ? 1 : 2;
  }
}
