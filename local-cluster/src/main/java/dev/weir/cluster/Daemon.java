package dev.weir.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * A process of the cluster.
 *
 * @param name what its log and messages call it
 * @param node the node that it runs on
 * @param kind what it runs
 * @param arguments what its main method gets
 */
record Daemon(String name, String node, DaemonKind kind, List<String> arguments) {
  static final String NAMENODE = "namenode";
  static final String SECOND_NAMENODE = "namenode2";
  static final String RESOURCEMANAGER = "resourcemanager";
  static final String ZOOKEEPER = "zookeeper";
  static final String HINTS = "hints";

  /** What a split node's name is followed by. */
  private static final String DATANODE = "-datanode";

  private static final String NODEMANAGER = "-nodemanager";

  Daemon {
    arguments = List.copyOf(arguments);
  }

  /** All of the cluster's, in the order in which they are started. */
  static List<Daemon> of(ClusterPlan plan) {
    String master = ClusterPlan.MASTER;
    String zoo = plan.files().nodeConf(master).resolve("zoo.cfg").toString();
    List<Daemon> all = new ArrayList<>(nameNodes(plan));
    all.add(new Daemon(RESOURCEMANAGER, master, DaemonKind.RESOURCEMANAGER, List.of()));
    all.add(new Daemon(ZOOKEEPER, master, DaemonKind.ZOOKEEPER, List.of(zoo)));
    all.addAll(hints(plan));
    plan.workers().forEach(node -> all.addAll(ofWorker(plan, node.name())));
    return all;
  }

  /**
   * A DataNode and a NodeManager: one process that goes by the name of its node, or two where nodes
   * are split.
   */
  static List<Daemon> ofWorker(ClusterPlan plan, String node) {
    return plan.servers().splitNodes()
        ? List.of(
            new Daemon(node + DATANODE, node, DaemonKind.DATANODE, List.of()),
            new Daemon(node + NODEMANAGER, node, DaemonKind.NODEMANAGER, List.of()))
        : List.of(new Daemon(node, node, DaemonKind.NODE, List.of()));
  }

  /** The NameNode, and the second one if there is one. */
  static List<Daemon> nameNodes(ClusterPlan plan) {
    Daemon first = new Daemon(NAMENODE, ClusterPlan.MASTER, DaemonKind.NAMENODE, List.of());
    return plan.servers().standby()
        ? List.of(
            first,
            new Daemon(SECOND_NAMENODE, ClusterPlan.SECOND_MASTER, DaemonKind.NAMENODE, List.of()))
        : List.of(first);
  }

  /** The instances of the hints service. */
  static List<Daemon> hints(ClusterPlan plan) {
    List<Daemon> instances = new ArrayList<>();
    for (NodeInfo node : plan.hintHosts()) {
      String name = instances.isEmpty() ? HINTS : HINTS + (instances.size() + 1);
      instances.add(new Daemon(name, node.name(), DaemonKind.HINTS, List.of()));
    }
    return instances;
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
