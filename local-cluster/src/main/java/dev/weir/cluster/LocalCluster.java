package dev.weir.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.config.SiteProperties;
import dev.weir.cluster.host.LinkTraffic;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.cluster.plan.PlanCodec;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.DaemonKind;
import dev.weir.cluster.process.DaemonProbe;
import dev.weir.cluster.process.DaemonStatus;
import dev.weir.cluster.process.LogTail;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A NameNode, DataNodes, a ResourceManager, NodeManagers, a ZooKeeper and Weir's hints service as
 * processes of this machine. The {@code master} runs the NameNode, the ResourceManager, ZooKeeper
 * and the hints service; the other nodes are {@code n1} and so on.
 *
 * <p>Daemons are called {@code namenode}, {@code resourcemanager}, {@code zookeeper} and {@code
 * hints}. A DataNode with its NodeManager has the name of its node; on split nodes they are {@code
 * n1-datanode}, {@code n1-nodemanager} and so on. A second NameNode is {@code namenode2} on {@code
 * master2}. Further instances of the hints service are {@code hints2} on {@code n1} and so on.
 *
 * <p>Thread-safe. Every method throws {@link ClusterException} for a failure that the user can
 * remedy.
 */
public final class LocalCluster implements AutoCloseable {
  private final ClusterLifecycle lifecycle;

  LocalCluster(ClusterLifecycle lifecycle) {
    this.lifecycle = lifecycle;
  }

  /**
   * Starts a cluster and waits until all of its daemons have registered. If the start fails, or if
   * the JVM ends during it, the cluster is removed.
   *
   * @param spec the specification
   * @param listener receives the progress of the start
   * @throws ClusterException if a prerequisite is missing, or a daemon dies (the message has the
   *     end of its log) or does not register in time
   */
  public static LocalCluster start(ClusterSpec spec, ProgressListener listener) throws IOException {
    return new ClusterStarter(spec, listener, ClusterRegistry.ofUser()).start();
  }

  /**
   * Finds a cluster that another process started. The cluster is not closed when this JVM ends.
   *
   * @throws ClusterException if there is none
   */
  public static LocalCluster attach(Path dir) throws IOException {
    ClusterRegistry registry = ClusterRegistry.ofUser();
    return new LocalCluster(new ClusterLifecycle(PlanCodec.read(dir, registry), registry));
  }

  /** Returns the directories of this user's clusters, running or not. */
  public static List<Path> known() throws IOException {
    return ClusterRegistry.ofUser().list();
  }

  /** Returns the directory with all of the cluster's files. */
  public Path dir() {
    return lifecycle.plan().dir();
  }

  /** Returns the configuration directory of clients that run on this machine. */
  public Path confDir() {
    return lifecycle.plan().files().clientConf();
  }

  /** Returns the configuration directory of processes that run on a node. */
  public Path confDir(String node) throws IOException {
    return lifecycle.plan().files().nodeConf(lifecycle.plan().require(node).name());
  }

  /** Returns the jars that the daemons run from. */
  public HadoopJars jars() {
    return lifecycle.plan().jars();
  }

  /** Returns the form of the nodes on this machine. */
  public HostKind hosts() {
    return lifecycle.plan().hosts();
  }

  public LinkRate link() {
    return lifecycle.plan().link();
  }

  /** Creates a new configuration for clients in this JVM. */
  public Configuration configuration() {
    return configurationOf(lifecycle.plan());
  }

  static Configuration configurationOf(ClusterPlan plan) {
    Configuration conf = new YarnConfiguration(new HdfsConfiguration());
    for (String site : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      conf.addResource(
          new org.apache.hadoop.fs.Path(plan.files().clientConf().resolve(site).toUri()));
    }
    return conf;
  }

  /**
   * Returns the variables with which a client of this machine is a user of a secure cluster.
   *
   * @param user the user who started the cluster, or {@link KerberosConfig#ORDINARY_USER}
   * @return variables by name; empty if the cluster is not secure
   */
  public Map<String, String> clientEnvironment(String user) {
    ClusterPlan plan = lifecycle.plan();
    if (!plan.servers().secure()) {
      return Map.of();
    }
    String option = KerberosConfig.javaOption(plan);
    return Map.of(
        "KRB5_CONFIG",
        KerberosConfig.krb5(plan).toString(),
        "KRB5CCNAME",
        KerberosConfig.ticket(plan, user).toString(),
        "HADOOP_OPTS",
        option,
        "WEIR_OPTS",
        option);
  }

  /**
   * Sets the user of a process of {@link #java} before its start: by a ticket if the cluster is
   * secure, else by name.
   *
   * @param user any name; on a secure cluster one of {@link #clientEnvironment}
   * @param environment the variables of the process, which are changed
   */
  public void runAs(String user, Map<String, String> environment) {
    if (lifecycle.plan().servers().secure()) {
      environment.put("KRB5CCNAME", KerberosConfig.ticket(lifecycle.plan(), user).toString());
    } else {
      environment.put("HADOOP_USER_NAME", user);
    }
  }

  /** Returns the file with the keys of a user of a secure cluster. */
  public Path keytab(String user) {
    return KerberosConfig.keytab(lifecycle.plan(), user);
  }

  /** Returns the worker nodes: {@code n1} and so on. */
  public List<NodeInfo> nodes() {
    return lifecycle.plan().workers();
  }

  /** Returns the node of the NameNode, the ResourceManager and ZooKeeper. */
  public NodeInfo master() {
    return lifecycle.plan().master();
  }

  /** Returns the node {@code outside}, which runs no daemon; empty if there is none. */
  public Optional<NodeInfo> outside() {
    return lifecycle.plan().outside();
  }

  /**
   * Kills all processes of a node at once, daemons and containers, as a power failure would. The
   * node keeps its data and its address.
   *
   * @param node one of {@link #nodes}, or a master
   */
  public void stopNode(String node) throws IOException {
    lifecycle.processes().killNode(lifecycle.plan().require(node).name());
  }

  /**
   * Starts the daemons of a stopped node with their data, and waits until they answer.
   *
   * @param node one of {@link #nodes}, or the master
   */
  public void startNode(String node) throws IOException {
    lifecycle.plan().require(node);
    for (Daemon daemon : Daemon.of(lifecycle.plan())) {
      if (daemon.node().equals(node)) {
        start(daemon);
      }
    }
  }

  /**
   * Kills one daemon as {@code kill -9} does, and waits until its process has ended. The containers
   * of a NodeManager continue to run.
   */
  public void stopDaemon(String daemon) throws IOException {
    lifecycle.processes().killDaemon(Daemon.require(lifecycle.plan(), daemon).name());
  }

  /**
   * Restarts a daemon that has ended, with its data, and waits until it answers. A running daemon
   * is left alone. A NameNode becomes active if the other one is not.
   */
  public void startDaemon(String daemon) throws IOException {
    start(Daemon.require(lifecycle.plan(), daemon));
  }

  private void start(Daemon daemon) throws IOException {
    if (lifecycle.processes().daemon(daemon.name()).isPresent()) {
      return;
    }
    Process process = lifecycle.whileOpen(() -> lifecycle.launcher().start(daemon));
    lifecycle.awaitServing(daemon, process);
    boolean mayStandBy =
        daemon.kind() == DaemonKind.NAMENODE && lifecycle.plan().servers().standby();
    if (mayStandBy && lifecycle.probe().activeNameNode().isEmpty()) {
      new Failover(lifecycle).to(daemon);
    }
  }

  /**
   * Makes the standby NameNode active. The other NameNode becomes the standby, or does so at its
   * next start if it was killed.
   *
   * @return the name of the NameNode that is active now
   * @throws ClusterException if there is only one NameNode, or the failover fails
   */
  public String failover() throws IOException {
    if (!lifecycle.plan().servers().standby()) {
      throw new ClusterException(
          "There is no standby NameNode to become active: start the cluster with two"
              + " (--namenodes 2)");
    }
    DaemonProbe probe = lifecycle.probe();
    Daemon active = probe.activeNameNode().orElse(null);
    Daemon next =
        Daemon.nameNodes(lifecycle.plan()).stream()
            .filter(nameNode -> !nameNode.equals(active) && probe.isServing(nameNode))
            .findFirst()
            .orElseThrow(
                () ->
                    new ClusterException(
                        "No standby NameNode is running to become active: start it again"));
    new Failover(lifecycle).to(next);
    return next.name();
  }

  /** Returns the addresses of the instances of the hints service; empty if there are none. */
  public List<URI> hintServices() {
    return SiteProperties.hintUrls(lifecycle.plan()).stream().map(URI::create).toList();
  }

  /**
   * Cuts the link of a node. The node's processes continue to run without a network.
   *
   * @throws ClusterException if the nodes are loopback addresses, which have no links
   */
  public void cutLink(String node) throws IOException {
    lifecycle.host().setLink(lifecycle.plan().require(node).name(), false);
  }

  /** Restores a link that was cut. */
  public void healLink(String node) throws IOException {
    lifecycle.host().setLink(lifecycle.plan().require(node).name(), true);
  }

  /**
   * Returns the traffic over the link of a node.
   *
   * @param node one of {@link #nodes}, a master, or the outside node
   * @throws ClusterException if the nodes are loopback addresses, which have no links
   */
  public LinkTraffic traffic(String node) throws IOException {
    return lifecycle.host().traffic(lifecycle.plan().require(node).name());
  }

  /** Returns the log file of a daemon, which exists once the daemon has started. */
  public Path log(String daemon) throws IOException {
    return lifecycle.plan().files().log(Daemon.require(lifecycle.plan(), daemon).name());
  }

  /** Returns the last lines of a daemon's log, or a note if there is no log. */
  public String logTail(String daemon) throws IOException {
    return LogTail.of(log(daemon));
  }

  /**
   * Returns the directory with the logs of a node's containers. It has one directory per
   * application.
   */
  public Path containerLogs(String node) throws IOException {
    return lifecycle.plan().files().containerLogs(lifecycle.plan().require(node).name());
  }

  /**
   * Reads JMX beans of a daemon over HTTP.
   *
   * @param daemon any daemon except ZooKeeper, which serves no JMX
   * @param query an ObjectName pattern, such as {@code Hadoop:service=NameNode,name=*}
   * @return an array with one object per bean; empty if none matches
   */
  public JsonNode jmx(String daemon, String query) throws IOException {
    return lifecycle.probe().jmx(Daemon.require(lifecycle.plan(), daemon), query);
  }

  /**
   * Builds a command on a node without starting it. The command has the node's {@code
   * HADOOP_CONF_DIR}, {@code JAVA_HOME} and {@code PATH}. {@link #stopNode} kills its process.
   *
   * @param node a node's name, or {@code master}
   */
  public ProcessBuilder command(String node, List<String> argv) throws IOException {
    return lifecycle.launcher().command(lifecycle.plan().require(node).name(), argv);
  }

  /**
   * Builds a Java program on a node without starting it. Hadoop and the plugins are on its class
   * path.
   *
   * @param node a node's name, or {@code master}
   */
  public ProcessBuilder java(String node, String mainClass, List<String> arguments)
      throws IOException {
    return lifecycle.launcher().java(lifecycle.plan().require(node).name(), mainClass, arguments);
  }

  /**
   * Returns whether any process of the cluster runs. After a reboot only the files of a cluster
   * remain; they can be removed with {@link #close}.
   */
  public boolean isRunning() {
    return lifecycle.processes().isAnyAlive();
  }

  /** Returns the current state of the daemons. */
  public ClusterStatus status() {
    ClusterPlan plan = lifecycle.plan();
    List<DaemonStatus> daemons =
        Daemon.of(plan).stream()
            .map(
                daemon ->
                    new DaemonStatus(
                        daemon.name(),
                        daemon.node(),
                        plan.find(daemon.node()).map(NodeInfo::address).orElse(""),
                        lifecycle
                            .processes()
                            .daemon(daemon.name())
                            .map(ProcessHandle::pid)
                            .orElse(0L),
                        plan.files().log(daemon.name())))
            .toList();
    DaemonProbe probe = lifecycle.probe();
    Optional<Daemon> active = probe.activeNameNode();
    return new ClusterStatus(
        daemons,
        active.map(probe::liveDataNodes).orElse(0),
        active.map(Daemon::name).orElse(null),
        probe.activeNodeManagers());
  }

  /** Kills all processes of the cluster and removes its network and its files. Idempotent. */
  @Override
  public void close() throws IOException {
    lifecycle.close();
  }
}
