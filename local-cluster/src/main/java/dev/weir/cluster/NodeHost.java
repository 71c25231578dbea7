package dev.weir.cluster;

import java.io.IOException;
import java.util.List;

/**
 * What nodes are on this machine: how they come to be, how a process gets into one, how they go.
 */
interface NodeHost {
  /**
   * Takes the network of the plan for this cluster.
   *
   * @return false if another cluster has it already, and nothing was changed
   */
  boolean create() throws IOException;

  /** A command that runs {@code command} on the node. */
  List<String> enter(String node, List<String> command);

  /** Whether a process is on the node by what the kernel knows of it, whatever it was told. */
  boolean holds(String node, long pid);

  /** Takes the node's link down or up. */
  void setLink(String node, boolean up) throws IOException;

  /** What has gone over the node's link. */
  LinkTraffic traffic(String node) throws IOException;

  /** Removes whatever of the network is there; does not fail over what is not. */
  void destroy() throws IOException;

  static NodeHost of(ClusterPlan plan) {
    return switch (plan.hosts()) {
      case NAMESPACES -> new NamespaceHost(plan);
      case LOOPBACK -> new LoopbackHost(plan);
    };
  }
}
