package dev.weir.cluster.host;

import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.Commands;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes that are network namespaces on one bridge. Both ends of a node's link are shaped, so that
 * the rate holds in both directions. Traffic of a node to itself does not use the link.
 */
final class NamespaceHost implements NodeHost {
  private static final Path NAMESPACES = Path.of("/run/netns");

  /**
   * Gives a process the node's own /etc/hosts and host name. They are visible only to the process
   * and its children.
   */
  private static final String ENTER =
      "mount --bind \"$1\" /etc/hosts && hostname \"$2\" && shift 2 && exec \"$@\"";

  private final ClusterPlan plan;

  NamespaceHost(ClusterPlan plan) {
    this.plan = plan;
  }

  @Override
  public boolean create() throws IOException {
    if (!takeBridge()) {
      return false;
    }
    List<String> links = new ArrayList<>();
    List<String> shapes = new ArrayList<>();
    links.add("addr add " + plan.gateway() + "/24 dev " + plan.bridge());
    links.add("link set " + plan.bridge() + " up");
    for (NodeInfo node : plan.all()) {
      String end = plan.interfaceOf(node.name());
      String namespace = plan.namespace(node.name());
      links.add("netns add " + namespace);
      links.add("link add " + end + " type veth peer name eth0 netns " + namespace);
      links.add("link set " + end + " master " + plan.bridge());
      links.add("link set " + end + " up");
      shapes.add(shape(end));
    }
    Commands.runBatch(links, "ip", "-batch", "-");
    shape(shapes, "tc", "-batch", "-");
    for (NodeInfo node : plan.all()) {
      createInside(node);
    }
    return true;
  }

  @Override
  public List<String> enter(String node, List<String> command) {
    List<String> entered = new ArrayList<>();
    entered.add("nsenter");
    entered.add("--net=" + NAMESPACES.resolve(plan.namespace(node)));
    entered.addAll(List.of("unshare", "--mount", "--uts", "sh", "-c", ENTER, "weir"));
    entered.add(plan.files().nodeHosts(node).toString());
    entered.add(node);
    entered.addAll(command);
    return entered;
  }

  @Override
  public boolean holds(String node, long pid) {
    try {
      Object own = Files.getAttribute(NAMESPACES.resolve(plan.namespace(node)), "unix:ino");
      Path link = Files.readSymbolicLink(Path.of("/proc", String.valueOf(pid), "ns", "net"));
      return link.toString().equals("net:[" + own + "]");
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void setLink(String node, boolean up) throws IOException {
    Commands.run("ip", "link", "set", plan.interfaceOf(node), up ? "up" : "down");
  }

  @Override
  public LinkTraffic traffic(String node) throws IOException {
    // This machine's end of the link receives what the node sends.
    Path counters = Path.of("/sys/class/net", plan.interfaceOf(node), "statistics");
    return new LinkTraffic(
        Long.parseLong(Files.readString(counters.resolve("rx_bytes")).strip()),
        Long.parseLong(Files.readString(counters.resolve("tx_bytes")).strip()));
  }

  @Override
  public void destroy() throws IOException {
    for (NodeInfo node : plan.all()) {
      if (Files.exists(NAMESPACES.resolve(plan.namespace(node.name())))) {
        Commands.run("ip", "netns", "del", plan.namespace(node.name()));
      }
      deleteLink(plan.interfaceOf(node.name()));
    }
    deleteLink(plan.bridge());
  }

  /** Only one process can create a bridge, which decides which of two clusters gets the index. */
  private boolean takeBridge() throws IOException {
    if (Commands.run("ip", "-o", "-4", "addr").contains(" " + plan.subnet() + ".")) {
      return false;
    }
    String bridge = plan.bridge();
    if (exists(bridge)) {
      return false;
    }
    try {
      Commands.run("ip", "link", "add", bridge, "type", "bridge");
      return true;
    } catch (ClusterException e) {
      if (exists(bridge)) {
        return false;
      }
      throw e;
    }
  }

  private void createInside(NodeInfo node) throws IOException {
    String namespace = plan.namespace(node.name());
    List<String> inside =
        List.of(
            "addr add " + node.address() + "/24 dev eth0", "link set eth0 up", "link set lo up");
    Commands.runBatch(inside, "ip", "-n", namespace, "-batch", "-");
    shape(List.of(shape("eth0")), "tc", "-n", namespace, "-batch", "-");
  }

  private void shape(List<String> shapes, String... tc) throws IOException {
    if (!plan.link().isShaped()) {
      return;
    }
    try {
      Commands.runBatch(shapes, tc);
    } catch (ClusterException e) {
      throw new ClusterException(
          "This kernel cannot limit link rates: write --link unlimited (" + e.getMessage() + ")",
          e);
    }
  }

  private String shape(String device) {
    LinkRate link = plan.link();
    return "qdisc add dev %s root tbf rate %dbit burst %d limit %d"
        .formatted(device, link.bitsPerSecond(), link.burstBytes(), link.queueBytes());
  }

  private static void deleteLink(String device) throws IOException {
    if (exists(device)) {
      try {
        Commands.run("ip", "link", "del", device);
      } catch (ClusterException e) {
        // The kernel deletes a namespace's link shortly after the namespace.
        if (exists(device)) {
          throw e;
        }
      }
    }
  }

  private static boolean exists(String device) {
    return Files.exists(Path.of("/sys/class/net", device));
  }
}
