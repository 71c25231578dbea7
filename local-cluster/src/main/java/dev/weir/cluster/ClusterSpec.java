package dev.weir.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster is to be.
 *
 * @param nodes how many nodes run a DataNode and a NodeManager; the master comes on top
 * @param racks on how many racks they stand, in turn; at most as many as nodes
 * @param hosts what a node is
 * @param link the rate of every link, the master's too
 * @param dir where everything of the cluster lives; null chooses a directory of its own
 * @param jars what the daemons run from
 * @param servers how many NameNodes and hints services, and whether nodes are split
 * @param configuration Hadoop properties that go before the cluster's own
 * @param keepRunning whether it outlives this JVM; else it is closed when the JVM ends
 * @param startTimeout how long its daemons may take to register
 */
public record ClusterSpec(
    int nodes,
    int racks,
    HostKind hosts,
    LinkRate link,
    @Nullable Path dir,
    HadoopJars jars,
    DaemonLayout servers,
    Map<String, String> configuration,
    boolean keepRunning,
    Duration startTimeout) {
  /** Bounded by the addresses of a cluster's subnet. */
  static final int MOST_NODES = 200;

  public ClusterSpec {
    if (nodes < 1 || nodes > MOST_NODES) {
      throw new IllegalArgumentException(
          "Cluster of " + nodes + " nodes: ask for 1 to " + MOST_NODES);
    }
    if (racks < 1 || racks > nodes) {
      throw new IllegalArgumentException(
          racks + " racks for " + nodes + " nodes: ask for 1 to " + nodes + " racks");
    }
    if (hosts == HostKind.LOOPBACK && link.isShaped()) {
      throw new IllegalArgumentException(
          "Loopback addresses have no link to slow down to "
              + link
              + ": leave the rate out, or use namespaces (as root)");
    }
    if (servers.hintServices() > 0 && jars.service().isEmpty()) {
      throw new IllegalArgumentException(
          "Hints service without its jars: build the distribution, or ask for none");
    }
    if (servers.hintServices() > nodes + 1) {
      throw new IllegalArgumentException(
          servers.hintServices()
              + " hints services on the master and "
              + nodes
              + " nodes: ask for one a node at most");
    }
    dir = dir == null ? null : dir.toAbsolutePath().normalize();
    configuration = Map.copyOf(configuration);
  }

  /**
   * Starts from 3 nodes on one rack at loopback addresses.
   *
   * @param jars what the daemons run from
   */
  public static Builder builder(HadoopJars jars) {
    return new Builder(jars);
  }

  /** Collects what is optional; not safe for use by several threads. */
  public static final class Builder {
    private final HadoopJars jars;
    private final Map<String, String> configuration = new LinkedHashMap<>();
    private int nodes = 3;
    private int racks = 1;
    private int nameNodes = 1;
    private int services;
    private boolean outside;
    private boolean splitNodes;
    private HostKind hosts = HostKind.LOOPBACK;
    private LinkRate link = LinkRate.UNLIMITED;
    private @Nullable Path dir;
    private boolean keepRunning;
    private Duration startTimeout = Duration.ofMinutes(3);

    private Builder(HadoopJars jars) {
      this.jars = Objects.requireNonNull(jars, "jars");
      services = jars.service().isEmpty() ? 0 : 1;
    }

    /** How many nodes run a DataNode and a NodeManager. */
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    /** On how many racks the nodes stand. */
    public Builder racks(int count) {
      racks = count;
      return this;
    }

    /** How many NameNodes: 1, or 2 of which one stands by. */
    public Builder nameNodes(int count) {
      nameNodes = count;
      return this;
    }

    /**
     * How many instances of the hints service: unless told otherwise, one where the jars have it.
     * The first runs on the master, the others on nodes.
     */
    public Builder hintServices(int count) {
      services = count;
      return this;
    }

    /** Whether there is a node {@code outside} on the network, for what is no part of Hadoop. */
    public Builder outside(boolean wanted) {
      outside = wanted;
      return this;
    }

    /**
     * Whether the DataNode and the NodeManager of a node are processes of their own, each of which
     * can be stopped without the other; else one process is both, which costs less.
     */
    public Builder splitNodes(boolean wanted) {
      splitNodes = wanted;
      return this;
    }

    /** What a node is. */
    public Builder hosts(HostKind kind) {
      hosts = kind;
      return this;
    }

    /** The rate of every link; makes the hosts namespaces. */
    public Builder link(LinkRate rate) {
      link = rate;
      hosts = HostKind.NAMESPACES;
      return this;
    }

    /** Where everything of the cluster lives: a new or empty directory. */
    public Builder dir(Path directory) {
      dir = directory;
      return this;
    }

    /** A Hadoop property that goes before the cluster's own. */
    public Builder configuration(String key, String value) {
      configuration.put(key, value);
      return this;
    }

    /** Whether the cluster outlives this JVM. */
    public Builder keepRunning(boolean keep) {
      keepRunning = keep;
      return this;
    }

    /** How long the daemons may take to register. */
    public Builder startTimeout(Duration timeout) {
      startTimeout = timeout;
      return this;
    }

    /**
     * The specification.
     *
     * @throws IllegalArgumentException if the numbers do not fit together
     */
    public ClusterSpec build() {
      return new ClusterSpec(
          nodes,
          racks,
          hosts,
          link,
          dir,
          jars,
          new DaemonLayout(nameNodes, services, outside, splitNodes),
          configuration,
          keepRunning,
          startTimeout);
    }
  }
}
