package dev.weir.cluster.host;

import dev.weir.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.util.List;

/**
 * The form of nodes on this machine: how nodes are created, how a process enters one, and how nodes
 * are removed.
 */
public interface NodeHost {
  /**
   * Creates the network of the plan.
   *
   * @return false if another cluster has the network; nothing has changed then
   */
  boolean create() throws IOException;

  /** Wraps {@code command} so that it runs on the node. */
  List<String> enter(String node, List<String> command);

  /** Returns whether a process is in the node's namespace, regardless of its environment. */
  boolean holds(String node, long pid);

  /** Takes the node's link down or up. */
  void setLink(String node, boolean up) throws IOException;

  /** Returns the traffic over the node's link. */
  LinkTraffic traffic(String node) throws IOException;

  /** Removes the network. Parts that do not exist are ignored. */
  void destroy() throws IOException;

  static NodeHost of(ClusterPlan plan) {
    return switch (plan.hosts()) {
      case NAMESPACES -> new NamespaceHost(plan);
      case LOOPBACK -> new LoopbackHost(plan);
    };
  }
}
