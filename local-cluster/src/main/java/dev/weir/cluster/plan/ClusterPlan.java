package dev.weir.cluster.plan;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names, addresses and racks of a cluster, which follow from its specification and its index.
 * The plan is stored in the cluster's directory, so that any process can find and remove what
 * belongs to the cluster.
 *
 * @param index the number that distinguishes the clusters of a machine; part of every address and
 *     interface name
 * @param dir the cluster's directory, absolute
 * @param nodes the number of nodes besides the master
 * @param hosts the form of a node on this machine
 * @param servers the number of NameNodes, ResourceManagers and hints services, and whether nodes
 *     are split
 */
public record ClusterPlan(
    int index,
    Path dir,
    int nodes,
    int racks,
    HostKind hosts,
    LinkRate link,
    HadoopJars jars,
    DaemonLayout servers) {
  public static final String MASTER = "master";

  /** The node of the second NameNode and ResourceManager, if there is one. */
  public static final String SECOND_MASTER = "master2";

  /** The node that runs no daemon, if there is one. */
  static final String OUTSIDE = "outside";

  /** The highest index; the lowest is 1. */
  public static final int MAX_CLUSTERS = 200;

  private static final int MASTER_HOST = 250;
  private static final int SECOND_MASTER_HOST = 251;
  private static final int OUTSIDE_HOST = 252;
  private static final int GATEWAY_HOST = 254;

  public static ClusterPlan of(ClusterSpec spec, int index, Path dir) {
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
  public List<NodeInfo> workers() {
    return IntStream.rangeClosed(1, nodes).mapToObj(this::worker).toList();
  }

  public NodeInfo master() {
    return new NodeInfo(MASTER, address(MASTER_HOST), rack(1));
  }

  /** The nodes that run a NameNode or a ResourceManager. */
  public List<NodeInfo> masters() {
    return servers.standby() || servers.standbyResourceManager()
        ? List.of(master(), new NodeInfo(SECOND_MASTER, address(SECOND_MASTER_HOST), rack(1)))
        : List.of(master());
  }

  /** The node that runs no daemon; empty when there is none. */
  public Optional<NodeInfo> outside() {
    return servers.outside()
        ? Optional.of(new NodeInfo(OUTSIDE, address(OUTSIDE_HOST), rack(1)))
        : Optional.empty();
  }

  /** All nodes: masters, workers, and the outside node. */
  public List<NodeInfo> all() {
    return Stream.of(masters().stream(), workers().stream(), outside().stream())
        .flatMap(nodes -> nodes)
        .toList();
  }

  /** The nodes that run an instance of the hints service: the master, then workers. */
  public List<NodeInfo> hintHosts() {
    return Stream.concat(Stream.of(master()), workers().stream())
        .limit(servers.hintServices())
        .toList();
  }

  public Optional<NodeInfo> find(String name) {
    return all().stream().filter(node -> node.name().equals(name)).findFirst();
  }

  public NodeInfo require(String name) throws ClusterException {
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
  public String gateway() {
    return address(GATEWAY_HOST);
  }

  /** The first three octets of every address. */
  public String subnet() {
    // Loopback: localhost and Debian's host name use 127.0.0.x and 127.0.1.x.
    return hosts == HostKind.NAMESPACES ? "10.213." + index : "127.0." + (index + 10);
  }

  public String bridge() {
    return "weir" + index;
  }

  public String namespace(String node) {
    return "weir" + index + "-" + node;
  }

  /** This machine's end of the node's link. The kernel limits interface names to 15 characters. */
  public String interfaceOf(String node) {
    return "weir" + index + node.replace(MASTER, "m");
  }

  public ClusterFiles files() {
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
