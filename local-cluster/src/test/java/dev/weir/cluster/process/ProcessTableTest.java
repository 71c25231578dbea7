package dev.weir.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.OrphanFinder;
import dev.weir.cluster.config.NodeEnvironment;
import dev.weir.cluster.host.NodeHost;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.DaemonLayout;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shell replaces a NodeManager, and a process that it starts replaces a container. */
class ProcessTableTest {
  private static final String DAEMON = "n1-nodemanager";

  @TempDir private Path dir;
  private ProcessTable processes;
  private long container;

  @BeforeEach
  void startADaemonWithAContainer() throws Exception {
    ClusterPlan plan =
        new ClusterPlan(
            1,
            dir.toRealPath(),
            1,
            1,
            HostKind.LOOPBACK,
            LinkRate.UNLIMITED,
            HadoopJars.stock(Path.of("/hadoop")),
            new DaemonLayout(1, 1, 0, false, true, false));
    processes = new ProcessTable(plan, NodeHost.of(plan));
    Path pid = dir.resolve("pid");
    Path complete = dir.resolve("container.pid");
    // As a container does, the process belongs to the node and is not a daemon.
    String script =
        "env -u %s sleep 1000 & echo $! > '%s'; mv '%s' '%s'; wait"
            .formatted(NodeEnvironment.DAEMON, pid, pid, complete);
    ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-c", script));
    builder.environment().put(NodeEnvironment.CLUSTER, plan.dir().toString());
    builder.environment().put(NodeEnvironment.NODE, "n1");
    builder.environment().put(NodeEnvironment.DAEMON, DAEMON);
    builder.start();
    await().until(() -> Files.exists(complete));
    container = Long.parseLong(Files.readString(complete).strip());
    await("another program in its place").until(() -> commandLine(container).startsWith("sleep"));
  }

  @AfterEach
  void killAll() throws Exception {
    processes.killAll();
  }

  @Test
  void killingADaemonLeavesItsContainersRunning() throws Exception {
    assertThat(processes.daemon(DAEMON)).isPresent();

    processes.killDaemon(DAEMON);

    assertThat(processes.daemon(DAEMON)).isEmpty();
    assertThat(OrphanFinder.hasEnded(container)).isFalse();
  }

  @Test
  void childrenOfAKilledDaemonStillBelongToTheNode() throws Exception {
    processes.killDaemon(DAEMON);

    processes.killNode("n1");

    assertThat(OrphanFinder.hasEnded(container)).isTrue();
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
    } catch (IOException e) {
      return "";
    }
  }
}
