package dev.weir.cluster.host;

import dev.weir.cluster.config.SiteProperties;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/** Nodes that are loopback addresses. Linux has all of 127.0.0.0/8 without configuration. */
final class LoopbackHost implements NodeHost {
  private final ClusterPlan plan;

  LoopbackHost(ClusterPlan plan) {
    this.plan = plan;
  }

  @Override
  public boolean create() {
    String master = plan.master().address();
    return isFree(master, SiteProperties.NAMENODE_PORT)
        && isFree(master, SiteProperties.ZOOKEEPER_PORT)
        && isFree(master, SiteProperties.RESOURCEMANAGER_HTTP);
  }

  @Override
  public List<String> enter(String node, List<String> command) {
    return command;
  }

  @Override
  public boolean holds(String node, long pid) {
    return false;
  }

  @Override
  public void setLink(String node, boolean up) throws IOException {
    throw new ClusterException(
        "Node " + node + " is a loopback address without a link: use namespaces (as root)");
  }

  @Override
  public LinkTraffic traffic(String node) throws IOException {
    throw new ClusterException(
        "Node " + node + " is a loopback address without a link: use namespaces (as root)");
  }

  @Override
  public void destroy() {}

  private static boolean isFree(String address, int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
