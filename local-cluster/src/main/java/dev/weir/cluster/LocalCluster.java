package dev.weir.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * A NameNode, DataNodes, a ResourceManager, NodeManagers, a ZooKeeper and Weir's hints service as
 * processes of this machine. Nodes are called {@code n1} and so on; the {@code master} runs the
 * NameNode, the ResourceManager, ZooKeeper and the hints service. Daemons are called {@code
 * namenode}, {@code resourcemanager}, {@code zookeeper}, {@code hints}, and by the name of their
 * node for a DataNode with its NodeManager; where nodes are split {@code n1-datanode}, {@code
 * n1-nodemanager} and so on. A second NameNode is {@code namenode2} on {@code master2}; further
 * instances of the hints service are {@code hints2} on {@code n1} and so on.
 *
 * <p>Safe for use by several threads. Every method throws {@link ClusterException} for what a
 * person can mend.
 */
public final class LocalCluster implements AutoCloseable {
  private final ClusterLifecycle running;

  LocalCluster(ClusterLifecycle running) {
    this.running = running;
  }

  /**
   * Starts a cluster and waits until all of its daemons have registered. If that fails, or if the
   * JVM is ended meanwhile, nothing of it stays.
   *
   * @param spec what it is to be
   * @param listener is told how far the start is
   * @throws ClusterException if a prerequisite is missing, or a daemon dies (with the end of its
   *     log) or does not register in time
   */
  public static LocalCluster start(ClusterSpec spec, ProgressListener listener) throws IOException {
    return new ClusterStarter(spec, listener, ClusterRegistry.ofUser()).start();
  }

  /**
   * Finds a cluster that another process has started, or has left behind. It is not closed when
   * this JVM ends.
   *
   * @param dir the directory of the cluster
   * @throws ClusterException if there is none
   */
  public static LocalCluster attach(Path dir) throws IOException {
    ClusterRegistry registry = ClusterRegistry.ofUser();
    return new LocalCluster(new ClusterLifecycle(PlanCodec.read(dir, registry), registry));
  }

  /** The directories of this user's clusters, running or left behind. */
  public static List<Path> known() throws IOException {
    return ClusterRegistry.ofUser().list();
  }

  /** The directory with everything of the cluster. */
  public Path dir() {
    return running.plan().dir();
  }

  /** The configuration directory of clients that run on this machine. */
  public Path confDir() {
    return running.plan().files().clientConf();
  }

  /** The configuration directory of what runs on a node. */
  public Path confDir(String node) throws IOException {
    return running.plan().files().nodeConf(running.plan().require(node).name());
  }

  /** What the daemons run from. */
  public HadoopJars jars() {
    return running.plan().jars();
  }

  /** What the nodes are on this machine. */
  public HostKind hosts() {
    return running.plan().hosts();
  }

  /** The rate of every link. */
  public LinkRate link() {
    return running.plan().link();
  }

  /** A fresh configuration for clients of this JVM. */
  public Configuration configuration() {
    return configurationOf(running.plan());
  }

  static Configuration configurationOf(ClusterPlan plan) {
    Configuration conf = new YarnConfiguration(new HdfsConfiguration());
    for (String site : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      conf.addResource(
          new org.apache.hadoop.fs.Path(plan.files().clientConf().resolve(site).toUri()));
    }
    return conf;
  }

  /** The nodes that store and compute: {@code n1} and so on. */
  public List<NodeInfo> nodes() {
    return running.plan().workers();
  }

  /** The node of the NameNode, the ResourceManager and ZooKeeper. */
  public NodeInfo master() {
    return running.plan().master();
  }

  /** The node that runs no daemon, called {@code outside}; empty when there is none. */
  public Optional<NodeInfo> outside() {
    return running.plan().outside();
  }

  /**
   * Kills everything on a node at once, as a power cut would: daemons and containers. Its data and
   * its address stay.
   *
   * @param node one of {@link #nodes}, or a master
   */
  public void stopNode(String node) throws IOException {
    running.processes().killNode(running.plan().require(node).name());
  }

  /**
   * Starts the daemons of a stopped node, with the data they had, and waits until they answer.
   *
   * @param node one of {@link #nodes}, or the master
   */
  public void startNode(String node) throws IOException {
    running.plan().require(node);
    for (Daemon daemon : Daemon.of(running.plan())) {
      if (daemon.node().equals(node)) {
        start(daemon);
      }
    }
  }

  /**
   * Kills one daemon, as {@code kill -9} does, and waits until it is gone. The containers of a
   * NodeManager run on.
   *
   * @param daemon its name
   */
  public void stopDaemon(String daemon) throws IOException {
    running.processes().killDaemon(Daemon.require(running.plan(), daemon).name());
  }

  /**
   * Starts a daemon again that has ended, with the data it had, and waits until it answers. One
   * that runs is left alone. A NameNode becomes the active one if the other is not.
   *
   * @param daemon its name
   */
  public void startDaemon(String daemon) throws IOException {
    start(Daemon.require(running.plan(), daemon));
  }

  private void start(Daemon daemon) throws IOException {
    if (running.processes().daemon(daemon.name()).isPresent()) {
      return;
    }
    Process process = running.whileOpen(() -> running.launcher().start(daemon));
    new DaemonRegistrationWait(running, daemon, process).await();
    boolean mayStandBy = daemon.kind() == DaemonKind.NAMENODE && running.plan().servers().standby();
    if (mayStandBy && running.probe().activeNameNode().isEmpty()) {
      new Failover(running).to(daemon);
    }
  }

  /**
   * Makes the NameNode active that stands by. The other one stands by from then on, or, if it was
   * killed, from its next start on.
   *
   * @return the daemon that is active now
   * @throws ClusterException if there is one NameNode alone, or they do not change over
   */
  public String failover() throws IOException {
    if (!running.plan().servers().standby()) {
      throw new ClusterException(
          "No second NameNode that could take over: start the cluster with two (--namenodes 2)");
    }
    DaemonProbe probe = running.probe();
    Daemon active = probe.activeNameNode().orElse(null);
    Daemon next =
        Daemon.nameNodes(running.plan()).stream()
            .filter(nameNode -> !nameNode.equals(active) && probe.isServing(nameNode))
            .findFirst()
            .orElseThrow(
                () ->
                    new ClusterException(
                        "No NameNode stands by that could take over: start it again"));
    new Failover(running).to(next);
    return next.name();
  }

  /** Where the instances of the hints service answer; empty if there is none. */
  public List<URI> hintServices() {
    return SiteProperties.hintUrls(running.plan()).stream().map(URI::create).toList();
  }

  /**
   * Cuts the link of a node: what is on it runs on and reaches nobody.
   *
   * @throws ClusterException if the nodes are loopback addresses, which have no links
   */
  public void cutLink(String node) throws IOException {
    running.host().setLink(running.plan().require(node).name(), false);
  }

  /** Heals a link that was cut. */
  public void healLink(String node) throws IOException {
    running.host().setLink(running.plan().require(node).name(), true);
  }

  /**
   * What has gone over the link of a node.
   *
   * @param node one of {@link #nodes}, a master, or the node outside
   * @throws ClusterException if the nodes are loopback addresses, which have no links
   */
  public LinkTraffic traffic(String node) throws IOException {
    return running.host().traffic(running.plan().require(node).name());
  }

  /** The log of a daemon, which is there from its start on. */
  public Path log(String daemon) throws IOException {
    return running.plan().files().log(Daemon.require(running.plan(), daemon).name());
  }

  /** The last lines of a daemon's log; a note in their place if there is none. */
  public String logTail(String daemon) throws IOException {
    return LogTail.of(log(daemon));
  }

  /** The directory with the logs of a node's containers, one directory an application. */
  public Path containerLogs(String node) throws IOException {
    return running.plan().files().containerLogs(running.plan().require(node).name());
  }

  /**
   * Reads JMX beans of a daemon over HTTP.
   *
   * @param daemon not ZooKeeper, which serves none
   * @param query an ObjectName pattern, such as {@code Hadoop:service=NameNode,name=*}
   * @return an array of objects, one for each bean; empty if none matches
   */
  public JsonNode jmx(String daemon, String query) throws IOException {
    return running.probe().jmx(Daemon.require(running.plan(), daemon), query);
  }

  /**
   * A command on a node, not yet started, with the node's {@code HADOOP_CONF_DIR}, {@code
   * JAVA_HOME} and {@code PATH}. It belongs to the node: {@link #stopNode} kills it.
   *
   * @param node a node's name, or {@code master}
   * @param argv the program and its arguments
   */
  public ProcessBuilder command(String node, List<String> argv) throws IOException {
    return running.launcher().command(running.plan().require(node).name(), argv);
  }

  /**
   * A Java program on a node, not yet started, with Hadoop and the plugins on its class path.
   *
   * @param node a node's name, or {@code master}
   * @param mainClass its class
   * @param arguments its arguments
   */
  public ProcessBuilder java(String node, String mainClass, List<String> arguments)
      throws IOException {
    return running.launcher().java(running.plan().require(node).name(), mainClass, arguments);
  }

  /**
   * Whether any of its processes runs. A machine that was started again has clusters of which there
   * are files only; they can be closed.
   */
  public boolean isRunning() {
    return running.processes().isAnyAlive();
  }

  /** How the daemons are right now. */
  public ClusterStatus status() {
    ClusterPlan plan = running.plan();
    List<DaemonStatus> daemons =
        Daemon.of(plan).stream()
            .map(
                daemon ->
                    new DaemonStatus(
                        daemon.name(),
                        daemon.node(),
                        plan.find(daemon.node()).map(NodeInfo::address).orElse(""),
                        running
                            .processes()
                            .daemon(daemon.name())
                            .map(ProcessHandle::pid)
                            .orElse(0L),
                        plan.files().log(daemon.name())))
            .toList();
    DaemonProbe probe = running.probe();
    Optional<Daemon> active = probe.activeNameNode();
    return new ClusterStatus(
        daemons,
        active.map(probe::liveDataNodes).orElse(0),
        active.map(Daemon::name).orElse(null),
        probe.activeNodeManagers());
  }

  /** Kills all processes of the cluster and removes its network and its files; at most once. */
  @Override
  public void close() throws IOException {
    running.close();
  }
}
