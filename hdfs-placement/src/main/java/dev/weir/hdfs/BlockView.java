package dev.weir.hdfs;

import dev.weir.hdfs.placement.PlacementView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.Nullable;

/**
 * One block as the NameNode's topology shows it.
 *
 * @param path the path of its file
 * @param isNewBlock whether it is being written
 * @param replicas how many replicas are asked for
 * @param minReplicas how many replicas make a block count as written
 * @param writer the DataNode on the writer's host
 * @param chosen where the block already is
 * @param topology all DataNodes
 */
public record BlockView(
    String path,
    boolean isNewBlock,
    int replicas,
    int minReplicas,
    @Nullable NodeSite writer,
    List<NodeSite> chosen,
    NetworkTopology topology)
    implements PlacementView<NodeSite> {

  /** Copies the list. */
  public BlockView {
    chosen = List.copyOf(chosen);
  }

  @Override
  public Collection<NodeSite> sites() {
    List<NodeSite> sites = new ArrayList<>();
    for (Node leaf : topology.getLeaves(NodeBase.ROOT)) {
      if (leaf instanceof DatanodeDescriptor node) {
        sites.add(new NodeSite(node));
      }
    }
    return sites;
  }
}
