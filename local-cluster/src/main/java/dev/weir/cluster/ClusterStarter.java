package dev.weir.cluster;

import dev.weir.cluster.config.ConfigurationFiles;
import dev.weir.cluster.config.SiteProperties;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopRelease;
import dev.weir.cluster.plan.PlanCodec;
import dev.weir.cluster.plan.Prerequisites;
import dev.weir.cluster.plan.Privileges;
import dev.weir.cluster.process.Daemon;
import dev.weir.cluster.process.DaemonKind;
import dev.weir.cluster.process.LogTail;
import dev.weir.cluster.process.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Starts a cluster. If the start fails, all that was started or created is removed. */
final class ClusterStarter {
  private final ClusterSpec spec;
  private final ProgressListener listener;
  private final ClusterRegistry registry;
  private @Nullable StartupProgress lastProgress;
  private boolean active;

  ClusterStarter(ClusterSpec spec, ProgressListener listener, ClusterRegistry registry) {
    this.spec = spec;
    this.listener = listener;
    this.registry = registry;
  }

  /**
   * Starts the cluster and waits until all daemons have registered.
   *
   * @throws ClusterException if a prerequisite is missing, a daemon dies or one does not register
   */
  LocalCluster start() throws IOException {
    Prerequisites.check(
        spec, System.getenv().getOrDefault("PATH", ""), Privileges.mayMakeNamespaces());
    if (spec.servers().secure()) {
      // Maven may have to fetch it, for which no daemon should wait.
      report("key management server", 0, 1);
      HadoopRelease unused = HadoopRelease.kms();
    }
    report("network", 0, 1);
    ClusterLifecycle cluster = createNetwork();
    try {
      report("configuration", 0, 1);
      configure(cluster.plan());
      Map<Daemon, Process> daemons = launch(cluster);
      await(cluster, daemons);
      report("HDFS directories", 0, 1);
      HdfsSetup.makeDirectories(cluster.plan(), cluster.launcher(), user(), spec.startTimeout());
    } catch (IOException | RuntimeException e) {
      cluster.closeAfter(e);
      throw e;
    }
    if (spec.keepRunning()) {
      cluster.outliveJvm();
    }
    return new LocalCluster(cluster);
  }

  private ClusterLifecycle createNetwork() throws IOException {
    Path given = spec.dir() == null ? null : Files.createDirectories(spec.dir()).toRealPath();
    for (int index = 1; index <= ClusterPlan.MAX_CLUSTERS; index++) {
      Path dir = registry.take(index, given);
      if (dir == null) {
        continue;
      }
      ClusterPlan plan = ClusterPlan.of(spec, index, dir);
      ClusterLifecycle cluster = new ClusterLifecycle(plan, registry);
      try {
        Files.createDirectories(dir);
        // From here on another process can remove the cluster if this one dies.
        PlanCodec.write(plan);
        registry.record(plan);
        cluster.closeWithJvm();
        if (cluster.whileOpen(() -> cluster.host().create())) {
          return cluster;
        }
      } catch (IOException | RuntimeException e) {
        cluster.closeAfter(e);
        throw e;
      }
      cluster.abandon();
    }
    throw new ClusterException(
        "All "
            + ClusterPlan.MAX_CLUSTERS
            + " networks of local clusters are in use: stop one ('weir cluster status'),"
            + " or free the ports 8020, 8088 and 2181 of this machine");
  }

  private void configure(ClusterPlan plan) throws IOException {
    SiteProperties site =
        new SiteProperties(plan, spec.configuration(), user(), ProcessLauncher.runtime());
    new ConfigurationFiles(plan, site, machineName()).write();
  }

  private Map<Daemon, Process> launch(ClusterLifecycle cluster) throws IOException {
    List<Daemon> daemons = Daemon.of(cluster.plan());
    Map<Daemon, Process> started = new LinkedHashMap<>();
    for (Daemon daemon : daemons) {
      started.put(daemon, cluster.whileOpen(() -> cluster.launcher().start(daemon)));
      while (daemon.kind() == DaemonKind.KDC && !cluster.probe().isServing(daemon)) {
        // All others need their keys at once.
        checkAlive(cluster, started);
        ClusterLifecycle.pause();
      }
      report("daemons started", started.size(), daemons.size());
    }
    return started;
  }

  private void await(ClusterLifecycle cluster, Map<Daemon, Process> daemons) throws IOException {
    long startNanos = System.nanoTime();
    int nodes = spec.nodes();
    List<Daemon> unanswered = new ArrayList<>(probedDaemons(cluster.plan()));
    Daemon firstWorker = Daemon.ofWorker(cluster.plan(), "n1").get(0);
    int total = 2 * nodes + unanswered.size();
    while (true) {
      checkAlive(cluster, daemons);
      activateFirst(cluster);
      int dataNodes = registeredEverywhere(cluster);
      int nodeManagers = cluster.probe().activeNodeManagers();
      unanswered.removeIf(cluster.probe()::isServing);
      int done = total - 2 * nodes - unanswered.size() + dataNodes + nodeManagers;
      report("registered", done, total);
      if (done == total) {
        return;
      }
      if (System.nanoTime() - startNanos > spec.startTimeout().toNanos()) {
        throw new ClusterException(
            ("After %d s: %d of %d DataNodes and %d of %d NodeManagers registered, not answering:"
                    + " %s; end of the logs:\n%s\n%s")
                .formatted(
                    spec.startTimeout().toSeconds(),
                    dataNodes,
                    nodes,
                    nodeManagers,
                    nodes,
                    unanswered.stream().map(Daemon::name).toList(),
                    LogTail.of(cluster.plan().files().log(Daemon.NAMENODE)),
                    LogTail.of(
                        cluster
                            .plan()
                            .files()
                            .log(
                                (unanswered.isEmpty() ? firstWorker : unanswered.get(0)).name()))));
      }
      ClusterLifecycle.pause();
    }
  }

  /** The daemons that do not register with another daemon and must be probed. */
  private static List<Daemon> probedDaemons(ClusterPlan plan) {
    return Daemon.of(plan).stream()
        .filter(
            daemon ->
                daemon.kind() == DaemonKind.ZOOKEEPER
                    || daemon.kind() == DaemonKind.HINTS
                    || daemon.kind() == DaemonKind.KMS
                    || daemon.name().equals(Daemon.SECOND_NAMENODE))
        .toList();
  }

  /** The smallest number of DataNodes that any NameNode knows. A standby must be ready too. */
  private static int registeredEverywhere(ClusterLifecycle cluster) {
    return Daemon.nameNodes(cluster.plan()).stream()
        .mapToInt(cluster.probe()::liveDataNodes)
        .min()
        .orElse(0);
  }

  /** Neither of two NameNodes becomes active by itself. */
  private void activateFirst(ClusterLifecycle cluster) throws IOException {
    if (active || !cluster.plan().servers().standby()) {
      return;
    }
    Daemon first = Daemon.nameNodes(cluster.plan()).get(0);
    if (cluster.probe().isServing(first)) {
      new Failover(cluster).to(first);
      active = true;
    }
  }

  private static void checkAlive(ClusterLifecycle cluster, Map<Daemon, Process> daemons)
      throws IOException {
    for (Map.Entry<Daemon, Process> entry : daemons.entrySet()) {
      Process process = entry.getValue();
      if (!process.isAlive()) {
        String name = entry.getKey().name();
        // A cluster that is being stopped is reported as such, rather than the dead daemon.
        cluster.whileOpen(() -> name);
        throw cluster.failure(
            entry.getKey(),
            "ended with exit code " + process.exitValue() + " while the cluster started");
      }
    }
  }

  private void report(String step, int done, int total) {
    StartupProgress progress = new StartupProgress(step, done, total);
    if (!progress.equals(lastProgress)) {
      lastProgress = progress;
      listener.onProgress(progress);
    }
  }

  private static String user() {
    return System.getProperty("user.name");
  }

  /** The host name in the kernel, which Java resolves to find its own address. */
  private static String machineName() throws IOException {
    String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    return name.equals("localhost") ? "" : name;
  }
}
