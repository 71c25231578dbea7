package dev.weir.cli.cluster;

import dev.weir.cli.common.Failures;
import dev.weir.cluster.ClusterStatus;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.process.DaemonStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = {
      "Lists your clusters with their daemons.",
      "If a daemon is dead, it exits with 1, and prints the end of the daemon's log if others of"
          + " the cluster live or --dir names it."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir cluster status"})
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterChoice choice;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Path> dirs = choice.isNamed() ? List.of(choice.dir()) : LocalCluster.known();
    boolean complete = true;
    if (dirs.isEmpty()) {
      out.println("No cluster of yours is here. Start one: weir cluster start");
    }
    for (Path dir : dirs) {
      try {
        complete &= show(dir, out);
      } catch (IOException e) {
        if (choice.isNamed()) {
          throw e;
        }
        complete = false;
        Failures.of(spec).tell(spec.root().name(), e, spec.commandLine().getErr());
      }
    }
    out.flush();
    return complete ? 0 : 1;
  }

  /** Returns whether all daemons of a cluster live. */
  private boolean show(Path dir, PrintWriter out) throws IOException {
    LocalCluster cluster = LocalCluster.attach(dir);
    ClusterStatus status = cluster.status();
    if (choice.isNamed() || status.daemons().stream().anyMatch(DaemonStatus::isAlive)) {
      print(out, cluster, status);
    } else {
      out.printf("%s: all daemons are dead; remove it: weir cluster stop --dir %s%n", dir, dir);
    }
    return status.isComplete();
  }

  private static String state(DaemonStatus daemon, ClusterStatus status) {
    if (!daemon.isAlive()) {
      return "DEAD";
    }
    String active = daemon.name().equals(status.activeNameNode()) ? "active, " : "";
    return active + "pid " + daemon.pid();
  }

  private static void print(PrintWriter out, LocalCluster cluster, ClusterStatus status)
      throws IOException {
    int nodes = cluster.nodes().size();
    out.printf(
        "%s: %d nodes, %s, link %s%n",
        cluster.dir(), nodes, cluster.hosts().name().toLowerCase(Locale.ROOT), cluster.link());
    out.printf(
        "  %d of %d DataNodes, %d of %d NodeManagers registered%n",
        status.liveDataNodes(), nodes, status.activeNodeManagers(), nodes);
    for (DaemonStatus daemon : status.daemons()) {
      out.printf("  %-16s %-16s %s%n", daemon.name(), daemon.address(), state(daemon, status));
    }
    for (DaemonStatus daemon : status.daemons()) {
      if (!daemon.isAlive()) {
        out.printf("  end of %s:%n%s%n", daemon.log(), cluster.logTail(daemon.name()).indent(2));
      }
    }
  }
}
