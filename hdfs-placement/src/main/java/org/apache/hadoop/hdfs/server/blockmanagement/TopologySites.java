package org.apache.hadoop.hdfs.server.blockmanagement;

import dev.weir.hdfs.NodeSite;
import dev.weir.hdfs.placement.Sites;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.net.InnerNode;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Lists the DataNodes of a topology once, not for each block. An added or removed DataNode is
 * noticed with the next block. A change that leaves their number the same, such as a new name or
 * rack, is noticed after {@value #MAX_AGE_MILLIS} ms; until then two NameNodes may disagree about a
 * group's anchor. Whether a node exists and can take a block does not depend on this list: Hadoop
 * checks each node.
 *
 * <p>One thread lists while others use the previous list. The topology's lock is held for one rack
 * at a time, and not by threads that use the list.
 */
@NullMarked
final class TopologySites {
  private static final long MAX_AGE_MILLIS = 1000;
  private static final long MAX_AGE_NANOS = TimeUnit.MILLISECONDS.toNanos(MAX_AGE_MILLIS);

  private final NetworkTopology topology;
  private final Function<DatanodeDescriptor, NodeSite> siteOf;
  private final LongSupplier nanoTime;
  private final AtomicBoolean listing = new AtomicBoolean();
  private volatile @Nullable Listed listed;

  TopologySites(
      NetworkTopology topology,
      Function<DatanodeDescriptor, NodeSite> siteOf,
      LongSupplier nanoTime) {
    this.topology = topology;
    this.siteOf = siteOf;
    this.nanoTime = nanoTime;
  }

  /** The DataNodes; the same object as long as they do not change. */
  Sites<NodeSite> get() {
    Listed known = listed;
    int count = topology.getNumOfLeaves();
    if (known != null
        && known.count() == count
        && nanoTime.getAsLong() - known.checked() < MAX_AGE_NANOS) {
      return known.sites();
    }
    if (known != null && !listing.compareAndSet(false, true)) {
      return known.sites();
    }
    try {
      Listed fresh = list(known, count);
      listed = fresh;
      return fresh.sites();
    } finally {
      listing.set(false);
    }
  }

  private Listed list(@Nullable Listed known, int count) {
    long now = nanoTime.getAsLong();
    List<Entry> entries = new ArrayList<>(count);
    collect(NodeBase.ROOT, entries);
    if (known != null && known.entries().equals(entries)) {
      return new Listed(known.sites(), known.entries(), count, now);
    }
    List<NodeSite> sites = entries.stream().map(entry -> siteOf.apply(entry.node())).toList();
    return new Listed(Sites.cached(sites), entries, count, now);
  }

  /** Walks racks because {@link NetworkTopology#getLeaves} searches all racks for each leaf. */
  private void collect(String location, List<Entry> entries) {
    for (Node child : topology.getDatanodesInRack(location)) {
      if (child instanceof InnerNode) {
        collect(NodeBase.getPath(child), entries);
      } else if (child instanceof DatanodeDescriptor node) {
        entries.add(
            new Entry(node, node.getHostName(), node.getXferPort(), node.getNetworkLocation()));
      }
    }
  }

  /** A DataNode and the attributes that determine its order, which may change. */
  private record Entry(DatanodeDescriptor node, String host, int port, String rack) {}

  /**
   * @param count the number of nodes before listing
   * @param checked when listing began
   */
  private record Listed(Sites<NodeSite> sites, List<Entry> entries, int count, long checked) {}
}
