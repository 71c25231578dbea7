package dev.weir.cluster.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a cluster.
 *
 * @param nodes the number of nodes with a DataNode and a NodeManager, without the master
 * @param racks the number of racks, which nodes are assigned to in turn; at most the number of
 *     nodes
 * @param hosts the form of a node on this machine
 * @param link the rate of every link, the master's included
 * @param dir the directory of all of the cluster's files; null lets the registry choose one
 * @param servers the number of NameNodes, ResourceManagers and hints services, and whether nodes
 *     are split
 * @param configuration Hadoop properties that override the cluster's own
 * @param keepRunning whether the cluster outlives this JVM; otherwise it is closed when the JVM
 *     ends
 * @param startTimeout how long the daemons may take to register
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
  /** The number of addresses in a cluster's subnet limits the nodes. */
  static final int MAX_NODES = 200;

  public ClusterSpec {
    if (nodes < 1 || nodes > MAX_NODES) {
      throw new IllegalArgumentException(
          "Cluster of " + nodes + " nodes: ask for 1 to " + MAX_NODES);
    }
    if (racks < 1 || racks > nodes) {
      throw new IllegalArgumentException(
          racks + " racks for " + nodes + " nodes: ask for 1 to " + nodes + " racks");
    }
    if (hosts == HostKind.LOOPBACK && link.isShaped()) {
      throw new IllegalArgumentException(
          "Loopback addresses have no link whose rate could be limited to "
              + link
              + ": leave the rate out, or use namespaces (as root)");
    }
    if (servers.hintServices() > 0 && jars.service().isEmpty()) {
      throw new IllegalArgumentException(
          "The hints service needs its jars: build the distribution, or start without the service");
    }
    if (servers.hintServices() > nodes + 1) {
      throw new IllegalArgumentException(
          servers.hintServices()
              + " hints services on the master and "
              + nodes
              + " nodes: ask for at most one per node");
    }
    dir = dir == null ? null : dir.toAbsolutePath().normalize();
    configuration = Map.copyOf(configuration);
  }

  /** Creates a builder with 3 nodes on one rack at loopback addresses. */
  public static Builder builder(HadoopJars jars) {
    return new Builder(jars);
  }

  /** Collects optional values. Not thread-safe. */
  public static final class Builder {
    private final HadoopJars jars;
    private final Map<String, String> configuration = new LinkedHashMap<>();
    private int nodes = 3;
    private int racks = 1;
    private int nameNodes = 1;
    private int resourceManagers = 1;
    private int services;
    private boolean outside;
    private boolean splitNodes;
    private boolean secure;
    private HostKind hosts = HostKind.LOOPBACK;
    private LinkRate link = LinkRate.UNLIMITED;
    private @Nullable Path dir;
    private boolean keepRunning;
    private Duration startTimeout = Duration.ofMinutes(3);

    private Builder(HadoopJars jars) {
      this.jars = Objects.requireNonNull(jars, "jars");
      services = jars.service().isEmpty() ? 0 : 1;
    }

    /** Sets the number of nodes with a DataNode and a NodeManager. */
    public Builder nodes(int count) {
      nodes = count;
      return this;
    }

    public Builder racks(int count) {
      racks = count;
      return this;
    }

    /** Sets the number of NameNodes: 1, or 2 of which one is a standby. */
    public Builder nameNodes(int count) {
      nameNodes = count;
      return this;
    }

    /** Sets the number of ResourceManagers: 1, or 2 of which one is a standby. */
    public Builder resourceManagers(int count) {
      resourceManagers = count;
      return this;
    }

    /**
     * Sets the number of instances of the hints service. The default is one if the jars include it.
     * The first instance runs on the master, the others on nodes.
     */
    public Builder hintServices(int count) {
      services = count;
      return this;
    }

    /**
     * Sets whether there is a node {@code outside} on the network, for processes that are not part
     * of Hadoop.
     */
    public Builder outside(boolean wanted) {
      outside = wanted;
      return this;
    }

    /**
     * Sets whether the DataNode and the NodeManager of a node are separate processes, so that one
     * can be stopped without the other. Otherwise one process runs both, which costs less.
     */
    public Builder splitNodes(boolean wanted) {
      splitNodes = wanted;
      return this;
    }

    /**
     * Sets whether the cluster has Kerberos, TLS and encrypted transfers. Nodes are split then,
     * because a process has one identity.
     */
    public Builder secure(boolean wanted) {
      secure = wanted;
      return this;
    }

    /** Sets the form of a node on this machine. */
    public Builder hosts(HostKind kind) {
      hosts = kind;
      return this;
    }

    /** Sets the rate of every link. Nodes become network namespaces. */
    public Builder link(LinkRate rate) {
      link = rate;
      hosts = HostKind.NAMESPACES;
      return this;
    }

    /** Sets the directory of all of the cluster's files. It must be new or empty. */
    public Builder dir(Path directory) {
      dir = directory;
      return this;
    }

    /** Sets a Hadoop property that overrides the cluster's own. */
    public Builder configuration(String key, String value) {
      configuration.put(key, value);
      return this;
    }

    /** Sets whether the cluster outlives this JVM. */
    public Builder keepRunning(boolean keep) {
      keepRunning = keep;
      return this;
    }

    /** Sets how long the daemons may take to register. */
    public Builder startTimeout(Duration timeout) {
      startTimeout = timeout;
      return this;
    }

    /**
     * Builds the specification.
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
          new DaemonLayout(
              nameNodes, resourceManagers, services, outside, splitNodes || secure, secure),
          configuration,
          keepRunning,
          startTimeout);
    }
  }
}
