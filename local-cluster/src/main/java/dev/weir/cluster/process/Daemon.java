package dev.weir.cluster.process;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.NodeInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of the cluster.
 *
 * @param name the name in its log and in messages
 * @param node the node that it runs on
 * @param kind the program
 * @param arguments the arguments of its main method
 */
public record Daemon(String name, String node, DaemonKind kind, List<String> arguments) {
  public static final String NAMENODE = "namenode";
  public static final String SECOND_NAMENODE = "namenode2";
  public static final String RESOURCEMANAGER = "resourcemanager";
  public static final String SECOND_RESOURCEMANAGER = "resourcemanager2";
  public static final String KDC = "kdc";
  static final String KMS = "kms";
  static final String ZOOKEEPER = "zookeeper";
  static final String HINTS = "hints";

  /** The suffix of a split node's DataNode. */
  private static final String DATANODE = "-datanode";

  private static final String NODEMANAGER = "-nodemanager";

  public Daemon {
    arguments = List.copyOf(arguments);
  }

  /** All daemons of the cluster, in start order. */
  public static List<Daemon> of(ClusterPlan plan) {
    String master = ClusterPlan.MASTER;
    String zoo = plan.files().nodeConf(master).resolve("zoo.cfg").toString();
    List<Daemon> all = new ArrayList<>();
    if (plan.servers().secure()) {
      all.add(new Daemon(KDC, master, DaemonKind.KDC, KerberosConfig.kdcArguments(plan)));
      all.add(new Daemon(KMS, master, DaemonKind.KMS, List.of()));
    }
    all.addAll(nameNodes(plan));
    all.add(new Daemon(RESOURCEMANAGER, master, DaemonKind.RESOURCEMANAGER, List.of()));
    if (plan.servers().standbyResourceManager()) {
      all.add(
          new Daemon(
              SECOND_RESOURCEMANAGER,
              ClusterPlan.SECOND_MASTER,
              DaemonKind.RESOURCEMANAGER,
              List.of()));
    }
    all.add(new Daemon(ZOOKEEPER, master, DaemonKind.ZOOKEEPER, List.of(zoo)));
    all.addAll(hints(plan));
    plan.workers().forEach(node -> all.addAll(ofWorker(plan, node.name())));
    return all;
  }

  /**
   * The daemons of a node: one process with the node's name that is DataNode and NodeManager, or
   * two processes where nodes are split.
   */
  public static List<Daemon> ofWorker(ClusterPlan plan, String node) {
    return plan.servers().splitNodes()
        ? List.of(
            new Daemon(node + DATANODE, node, DaemonKind.DATANODE, List.of()),
            new Daemon(node + NODEMANAGER, node, DaemonKind.NODEMANAGER, List.of()))
        : List.of(new Daemon(node, node, DaemonKind.NODE, List.of()));
  }

  /** The NameNode, and the second one if there is one. */
  public static List<Daemon> nameNodes(ClusterPlan plan) {
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

  public static Daemon require(ClusterPlan plan, String name) throws ClusterException {
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
