package dev.weir.cluster.config;

import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.NodeInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Hadoop properties of a cluster: those of all processes, and those that a node adds. Timeouts
 * are short, because a user waits for them. Resources are small, because one machine runs all
 * nodes.
 */
public final class SiteProperties {
  public static final int NAMENODE_PORT = 8020;
  public static final int ZOOKEEPER_PORT = 2181;
  public static final int NAMENODE_HTTP = 9870;
  public static final int DATANODE_HTTP = 9864;
  public static final int RESOURCEMANAGER_HTTP = 8088;
  public static final int NODEMANAGER_HTTP = 8042;
  public static final int HINTS_HTTP = 9880;

  /**
   * The identity that writes hints in ZooKeeper. It is the same for all clusters: they are for
   * tests and demonstrations.
   */
  public static final String ZOOKEEPER_AUTH = "weir:local-cluster";

  /** The rate at which a node can fetch data from another, in bytes per second. */
  private static final String LINK_KEY = "weir.yarn.link.bytes-per-second";

  private final ClusterPlan plan;
  private final Map<String, String> overrides;
  private final String user;
  private final String runtime;
  private final NameServiceConfig nameService;
  private final KerberosConfig kerberos;

  /**
   * Creates the properties of a plan.
   *
   * @param overrides the properties that the user sets; they override all others
   * @param user the user who starts the daemons, which makes it HDFS's superuser
   * @param runtime the class path entry with this module's own classes
   */
  public SiteProperties(
      ClusterPlan plan, Map<String, String> overrides, String user, String runtime) {
    this.plan = plan;
    this.overrides = Map.copyOf(overrides);
    this.user = user;
    this.runtime = runtime;
    nameService = new NameServiceConfig(plan);
    kerberos = new KerberosConfig(plan, user);
  }

  Map<String, String> core() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("fs.defaultFS", nameService.defaultFs());
    conf.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    conf.put("net.topology.table.file.name", plan.files().topology().toString());
    conf.put("hadoop.http.staticuser.user", user);
    // Clients notice a cut link or a killed node in seconds, not in minutes.
    conf.put("ipc.client.connect.timeout", "10000");
    conf.put("ipc.client.connect.max.retries.on.timeouts", "3");
    if (hasPlugins()) {
      conf.put("weir.zookeeper.quorum", plan.master().address() + ":" + ZOOKEEPER_PORT);
      if (plan.servers().hintServices() > 0) {
        conf.put("weir.zookeeper.writers", "digest:weir");
      } else {
        // Runs and tests write their hints themselves.
        conf.put("weir.zookeeper.open", "true");
      }
      conf.put("fs.hdfs.impl", "dev.weir.hdfs.WeirFileSystem");
      conf.put("fs.AbstractFileSystem.hdfs.impl", "org.apache.hadoop.fs.WeirHdfs");
    }
    if (plan.servers().hintServices() > 0) {
      conf.put("weir.server.url", String.join(",", hintUrls(plan)));
      // The hints service calls the NameNode as a proxy of its callers.
      conf.put("hadoop.proxyuser." + user + ".hosts", "*");
      conf.put("hadoop.proxyuser." + user + ".groups", "*");
    }
    if (plan.servers().secure()) {
      conf.putAll(kerberos.core());
    }
    return withOverrides(conf);
  }

  Map<String, String> hdfs() {
    Map<String, String> conf = new LinkedHashMap<>(nameService.shared());
    conf.put("dfs.replication", String.valueOf(Math.min(plan.nodes(), 3)));
    conf.put("dfs.heartbeat.interval", "1");
    conf.put("dfs.namenode.redundancy.interval.seconds", "1");
    // A DataNode is dead after 10 heartbeats and two rechecks: 12 s.
    conf.put("dfs.namenode.heartbeat.recheck-interval", "1000");
    conf.put("dfs.namenode.stale.datanode.interval", "6000");
    conf.put("dfs.namenode.safemode.extension", "0");
    conf.put("dfs.namenode.handler.count", "10");
    conf.put("dfs.namenode.decommission.interval", "2");
    conf.put("dfs.datanode.handler.count", "4");
    conf.put("dfs.datanode.du.reserved", "0");
    conf.put("dfs.client.socket-timeout", "10000");
    conf.put("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");
    // DNS does not know the names of the nodes.
    conf.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    if (hasPlugins()) {
      conf.put(
          "dfs.block.replicator.classname",
          "org.apache.hadoop.hdfs.server.blockmanagement.WeirBlockPlacementPolicy");
    }
    if (plan.servers().secure()) {
      conf.putAll(kerberos.hdfs());
    }
    return withOverrides(conf);
  }

  Map<String, String> yarn() {
    Map<String, String> conf = new LinkedHashMap<>();
    String master = plan.master().address();
    if (plan.servers().standbyResourceManager()) {
      putResourceManagers(conf);
    } else {
      conf.put("yarn.resourcemanager.hostname", master);
      conf.put("yarn.resourcemanager.bind-host", master);
    }
    conf.put(
        "yarn.resourcemanager.scheduler.class",
        "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
    putNodes(conf);
    putTimes(conf);
    // A full disk of the machine must not stop YARN: the write that fails reports it.
    conf.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    conf.put("yarn.nodemanager.delete.debug-delay-sec", "0");
    conf.put(
        "yarn.nodemanager.env-whitelist",
        "JAVA_HOME,HADOOP_CONF_DIR,PATH,LANG,TZ,JAVA_TOOL_OPTIONS,"
            + NodeEnvironment.CLUSTER
            + ","
            + NodeEnvironment.NODE);
    conf.put("yarn.application.classpath", applicationClasspath());
    if (hasPlugins()) {
      conf.put(
          "yarn.resourcemanager.application-master-service.processors",
          "dev.weir.yarn.WeirAskProcessor");
      conf.put(
          "yarn.scheduler.app-placement-allocator.class", "dev.weir.yarn.WeirPlacementAllocator");
      putLink(conf);
    }
    if (plan.servers().secure()) {
      conf.putAll(kerberos.yarn());
    }
    return withOverrides(conf);
  }

  private static void putNodes(Map<String, String> conf) {
    // One worker of 1 GiB and one ApplicationMaster of 512 MiB fit on a node, and no second worker.
    conf.put("yarn.nodemanager.resource.memory-mb", "1536");
    conf.put("yarn.nodemanager.resource.cpu-vcores", "2");
    conf.put("yarn.scheduler.minimum-allocation-mb", "256");
    conf.put("yarn.scheduler.maximum-allocation-mb", "1536");
    conf.put("yarn.scheduler.maximum-allocation-vcores", "2");
    conf.put("yarn.nodemanager.pmem-check-enabled", "false");
    conf.put("yarn.nodemanager.vmem-check-enabled", "false");
  }

  private static void putTimes(Map<String, String> conf) {
    conf.put("yarn.nm.liveness-monitor.expiry-interval-ms", "10000");
    // The time from the launch to the first heartbeat counts too. A second ApplicationMaster first
    // waits for the records of the first one, and its JVM takes seconds where all nodes share two
    // processors. An ApplicationMaster whose process or node has died is reported by its
    // NodeManager.
    conf.put("yarn.am.liveness-monitor.expiry-interval-ms", "30000");
    conf.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "500");
    conf.put("yarn.resourcemanager.connect.retry-interval.ms", "1000");
    // A ResourceManager with recovery keeps its state in HDFS. All daemons start at once, and by
    // default the ResourceManager exits if the NameNode does not answer the first call.
    conf.put("yarn.resourcemanager.fs.state-store.num-retries", "120");
    conf.put("yarn.resourcemanager.fs.state-store.retry-interval-ms", "500");
    conf.put("yarn.client.nodemanager-connect.max-wait-ms", "10000");
    conf.put("yarn.client.nodemanager-connect.retry-interval-ms", "1000");
  }

  /** Two ResourceManagers elect the active one in ZooKeeper, which has their state. */
  private void putResourceManagers(Map<String, String> conf) {
    conf.put("yarn.resourcemanager.ha.enabled", "true");
    conf.put("yarn.resourcemanager.cluster-id", NameServiceConfig.NAME);
    conf.put("yarn.resourcemanager.ha.rm-ids", "rm1,rm2");
    for (NodeInfo node : plan.masters()) {
      conf.put("yarn.resourcemanager.hostname." + resourceManager(node), node.address());
      conf.put(
          "yarn.resourcemanager.webapp.address." + resourceManager(node),
          node.address() + ":" + RESOURCEMANAGER_HTTP);
    }
    String zooKeeper = plan.master().address() + ":" + ZOOKEEPER_PORT;
    conf.put("hadoop.zk.address", zooKeeper);
    // The election reads the old key only.
    conf.put("yarn.resourcemanager.zk-address", zooKeeper);
    conf.put("yarn.resourcemanager.recovery.enabled", "true");
    conf.put(
        "yarn.resourcemanager.store.class",
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.ZKRMStateStore");
    conf.put("yarn.client.failover-sleep-base-ms", "100");
    conf.put("yarn.client.failover-sleep-max-ms", "1000");
  }

  /** The id of the ResourceManager of a node, where there are two. */
  static String resourceManager(NodeInfo node) {
    return node.name().equals(ClusterPlan.SECOND_MASTER) ? "rm2" : "rm1";
  }

  Map<String, String> capacityScheduler() {
    return Map.of(
        "yarn.scheduler.capacity.root.queues", "default",
        "yarn.scheduler.capacity.root.default.capacity", "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
  }

  /** The core properties that the processes and containers of a node add. */
  Map<String, String> coreOf(NodeInfo node) {
    Map<String, String> conf = core();
    conf.put("hadoop.tmp.dir", plan.files().nodeTmp(node.name()).toString());
    if (plan.hosts() == HostKind.LOOPBACK) {
      // HDFS locates a writer by the address of its connection.
      conf.put(
          "hadoop.rpc.socket.factory.class.default", "dev.weir.cluster.daemon.BoundSocketFactory");
      conf.put("dev.weir.cluster.bind-address", node.address());
    }
    return withOverrides(conf);
  }

  Map<String, String> hdfsOf(NodeInfo node) {
    Map<String, String> conf = hdfs();
    String data = plan.files().node(node.name()).toUri().toString();
    String address = node.address();
    if (plan.masters().contains(node)) {
      conf.putAll(nameService.of(node));
    } else {
      conf.put("dfs.datanode.data.dir", data + "data");
      conf.put("dfs.datanode.hostname", node.name());
      conf.put("dfs.datanode.address", address + ":9866");
      conf.put("dfs.datanode.http.address", address + ":" + DATANODE_HTTP);
      conf.put("dfs.datanode.ipc.address", address + ":9867");
    }
    if (plan.servers().secure()) {
      conf.putAll(kerberos.hdfsOf(node));
    }
    return withOverrides(conf);
  }

  Map<String, String> yarnOf(NodeInfo node) {
    Map<String, String> conf = yarn();
    String name = node.name();
    if (plan.masters().contains(node)) {
      // The default directory is in the user's home, where two clusters would share it.
      String store = plan.files().node(name).toUri().toString();
      if (plan.servers().standbyResourceManager()) {
        conf.put("yarn.resourcemanager.ha.id", resourceManager(node));
        conf.put("yarn.resourcemanager.bind-host", node.address());
      }
      conf.put("yarn.node-attribute.fs-store.root-dir", store + "node-attributes");
      conf.put("yarn.node-labels.fs-store.root-dir", store + "node-labels");
      // The ResourceManager keeps the default node wait, with which all published figures were
      // measured.
      conf.remove(LINK_KEY);
    } else {
      conf.put("yarn.nodemanager.hostname", name);
      conf.put("yarn.nodemanager.bind-host", node.address());
      conf.put("yarn.nodemanager.address", name + ":8041");
      conf.put("yarn.nodemanager.localizer.address", name + ":8040");
      conf.put("yarn.nodemanager.webapp.address", name + ":" + NODEMANAGER_HTTP);
      conf.put("yarn.nodemanager.local-dirs", plan.files().node(name).resolve("local").toString());
      conf.put("yarn.nodemanager.log-dirs", plan.files().containerLogs(name).toString());
    }
    if (plan.servers().secure()) {
      conf.putAll(kerberos.yarnOf(node));
    }
    return withOverrides(conf);
  }

  /** Sets the link rate, by which the runner chooses the number of replicas. */
  private void putLink(Map<String, String> conf) {
    if (plan.link().isShaped()) {
      conf.put(LINK_KEY, String.valueOf(plan.link().bitsPerSecond() / Byte.SIZE));
    }
  }

  /** The additional properties of a node's hints service. */
  Map<String, String> weirOf(NodeInfo node) {
    Map<String, String> conf = new LinkedHashMap<>();
    putLink(conf);
    conf.put("weir.server.http-address", node.address() + ":" + HINTS_HTTP);
    conf.put("weir.zookeeper.auth", ZOOKEEPER_AUTH);
    conf.put(
        "weir.server.database.url",
        "jdbc:h2:" + plan.files().node(node.name()).resolve("provenance").toAbsolutePath());
    if (plan.servers().secure()) {
      conf.putAll(kerberos.weirOf(node));
    }
    overrides.forEach(
        (key, value) -> {
          if (key.startsWith("weir.")) {
            conf.put(key, value);
          }
        });
    return conf;
  }

  /** The addresses of the instances of the hints service. */
  public static List<String> hintUrls(ClusterPlan plan) {
    return plan.hintHosts().stream()
        .map(
            node ->
                (plan.servers().secure() ? "https://" : "http://")
                    + node.address()
                    + ":"
                    + HINTS_HTTP)
        .toList();
  }

  /** The security of the cluster; used if it is secure. */
  KerberosConfig kerberos() {
    return kerberos;
  }

  private boolean hasPlugins() {
    return !plan.jars().plugins().isEmpty();
  }

  private String applicationClasspath() {
    String plugins =
        plan.jars().plugins().stream().map(jar -> jar + ",").collect(Collectors.joining());
    // The variable stands for the node's own directory and is expanded on the node.
    return "$HADOOP_CONF_DIR," + plan.jars().daemons() + "/*," + plugins + runtime;
  }

  private Map<String, String> withOverrides(Map<String, String> conf) {
    conf.putAll(overrides);
    return conf;
  }
}
