package dev.weir.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Everything about a cluster that follows from its specification and its index: names, addresses
 * and racks. It is stored in the cluster's directory, so that any process can find what belongs to
 * the cluster and take it down.
 *
 * @param index tells the clusters of a machine apart; part of every address and interface name
 * @param dir the cluster's directory, absolute
 * @param nodes how many nodes besides the master
 * @param racks on how many racks
 * @param hosts what a node is
 * @param link the rate of every link
 * @param jars what the daemons run from
 * @param servers how many NameNodes and hints services, and whether nodes are split
 */
record ClusterPlan(
    int index,
    Path dir,
    int nodes,
    int racks,
    HostKind hosts,
    LinkRate link,
    HadoopJars jars,
    DaemonLayout servers) {
  static final String MASTER = "master";

  /** The node of the second NameNode, where there is one, and of nothing else. */
  static final String SECOND_MASTER = "master2";

  /** The node that runs no daemon, where there is one. */
  static final String OUTSIDE = "outside";

  /** Indices are 1 to this. */
  static final int MOST_CLUSTERS = 200;

  private static final int MASTER_HOST = 250;
  private static final int SECOND_MASTER_HOST = 251;
  private static final int OUTSIDE_HOST = 252;
  private static final int GATEWAY_HOST = 254;

  static ClusterPlan of(ClusterSpec spec, int index, Path dir) {
    return new ClusterPlan(
        index,
        dir,
        spec.nodes(),
        spec.racks(),
        spec.hosts(),
        spec.link(),
        spec.jars(),
        spec.servers());
  }

  /** The nodes that run a DataNode and a NodeManager. */
  List<NodeInfo> workers() {
    return IntStream.rangeClosed(1, nodes).mapToObj(this::worker).toList();
  }

  NodeInfo master() {
    return new NodeInfo(MASTER, address(MASTER_HOST), rack(1));
  }

  /** The nodes that run a NameNode. */
  List<NodeInfo> masters() {
    return servers.standby()
        ? List.of(master(), new NodeInfo(SECOND_MASTER, address(SECOND_MASTER_HOST), rack(1)))
        : List.of(master());
  }

  /** The node that runs no daemon; empty when there is none. */
  Optional<NodeInfo> outside() {
    return servers.outside()
        ? Optional.of(new NodeInfo(OUTSIDE, address(OUTSIDE_HOST), rack(1)))
        : Optional.empty();
  }

  /** The masters, the workers, and what is outside. */
  List<NodeInfo> all() {
    return Stream.of(masters().stream(), workers().stream(), outside().stream())
        .flatMap(nodes -> nodes)
        .toList();
  }

  /** The nodes that run an instance of the hints service: the master, then workers. */
  List<NodeInfo> hintHosts() {
    return Stream.concat(Stream.of(master()), workers().stream())
        .limit(servers.hintServices())
        .toList();
  }

  Optional<NodeInfo> find(String name) {
    return all().stream().filter(node -> node.name().equals(name)).findFirst();
  }

  NodeInfo require(String name) throws ClusterException {
    return find(name)
        .orElseThrow(
            () ->
                new ClusterException(
                    "No node '%s': this cluster has %s and n1 to n%d"
                        .formatted(
                            name,
                            String.join(", ", masters().stream().map(NodeInfo::name).toList()),
                            nodes)));
  }

  /** This machine's own address on the cluster's network. */
  String gateway() {
    return address(GATEWAY_HOST);
  }

  /** The first three numbers of every address. */
  String subnet() {
    // Loopback: 127.0.0.x and 127.0.1.x are taken by localhost and by Debian's host name.
    return hosts == HostKind.NAMESPACES ? "10.213." + index : "127.0." + (index + 10);
  }

  String bridge() {
    return "weir" + index;
  }

  String namespace(String node) {
    return "weir" + index + "-" + node;
  }

  /** This machine's end of the node's link; a kernel limits such names to 15 characters. */
  String interfaceOf(String node) {
    return "weir" + index + node.replace(MASTER, "m");
  }

  ClusterFiles files() {
    return new ClusterFiles(dir);
  }

  private NodeInfo worker(int number) {
    return new NodeInfo("n" + number, address(number), rack((number - 1) % racks + 1));
  }

  private String address(int host) {
    return subnet() + "." + host;
  }

  private static String rack(int number) {
    return "/rack" + number;
  }
}
