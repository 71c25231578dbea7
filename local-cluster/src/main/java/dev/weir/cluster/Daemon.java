package dev.weir.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process of the cluster.
 *
 * @param name what its log and messages call it
 * @param node the node that it runs on
 * @param mainClass what it runs
 * @param heapMegabytes how much it may have
 * @param arguments what its main method gets
 * @param httpPort where its JMX is read; 0 for none
 */
record Daemon(
    String name,
    String node,
    String mainClass,
    int heapMegabytes,
    List<String> arguments,
    int httpPort) {
  static final String NAMENODE = "namenode";
  static final String RESOURCEMANAGER = "resourcemanager";
  static final String ZOOKEEPER = "zookeeper";

  Daemon {
    arguments = List.copyOf(arguments);
  }

  /** All of the cluster's, in the order in which they are started. */
  static List<Daemon> of(ClusterPlan plan) {
    String master = ClusterPlan.MASTER;
    Daemon zookeeper =
        new Daemon(
            ZOOKEEPER,
            master,
            "org.apache.zookeeper.server.quorum.QuorumPeerMain",
            64,
            List.of(plan.files().nodeConf(master).resolve("zoo.cfg").toString()),
            0);
    Daemon nameNode =
        new Daemon(
            NAMENODE,
            master,
            "dev.weir.cluster.daemon.NameNodeMain",
            256,
            List.of(),
            SiteConf.NAMENODE_HTTP);
    Daemon resourceManager =
        new Daemon(
            RESOURCEMANAGER,
            master,
            "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
            256,
            List.of(),
            SiteConf.RESOURCEMANAGER_HTTP);
    Stream<Daemon> workers = plan.workers().stream().map(node -> worker(node.name()));
    List<Daemon> all = new ArrayList<>(List.of(nameNode, resourceManager, zookeeper));
    workers.forEach(all::add);
    return all;
  }

  /** A DataNode and NodeManager, which go by the name of their node. */
  private static Daemon worker(String node) {
    return new Daemon(
        node, node, "dev.weir.cluster.daemon.NodeMain", 192, List.of(), SiteConf.DATANODE_HTTP);
  }

  static Daemon require(ClusterPlan plan, String name) throws ClusterException {
    List<Daemon> all = of(plan);
    return all.stream()
        .filter(daemon -> daemon.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ClusterException(
                    "No daemon '"
                        + name
                        + "': there are "
                        + String.join(", ", all.stream().map(Daemon::name).toList())));
  }
}
