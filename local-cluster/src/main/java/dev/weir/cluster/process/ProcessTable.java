package dev.weir.cluster.process;

import dev.weir.cluster.config.NodeEnvironment;
import dev.weir.cluster.host.NodeHost;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds the processes of a cluster in {@code /proc}, because files of process ids may be stale. A
 * process belongs to the cluster if its environment names it, if it is in a namespace of the
 * cluster, or if a process of the cluster started it.
 */
public final class ProcessTable {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_MILLIS = 10;

  private final ClusterPlan plan;
  private final NodeHost host;

  public ProcessTable(ClusterPlan plan, NodeHost host) {
    this.plan = plan;
    this.host = host;
  }

  /** The process of a daemon, if it runs. */
  public Optional<ProcessHandle> daemon(String daemon) {
    return findByEnvironment(
            environment ->
                isOfCluster(environment) && daemon.equals(environment.get(NodeEnvironment.DAEMON)))
        .stream()
        // A child has its parent's environment until it executes another program.
        .min(Comparator.comparing(process -> process.info().startInstant().orElse(Instant.MAX)));
  }

  /** Returns whether any process of the cluster runs. After a reboot none does. */
  public boolean isAnyAlive() {
    return !findByEnvironment(this::isOfCluster).isEmpty();
  }

  /** Kills all processes of the node, containers included, and waits until they have ended. */
  public void killNode(String node) throws IOException {
    kill(
        () -> {
          Set<ProcessHandle> found =
              findByEnvironment(
                  environment ->
                      isOfCluster(environment)
                          && node.equals(environment.get(NodeEnvironment.NODE)));
          ProcessHandle.allProcesses()
              .filter(process -> host.holds(node, process.pid()))
              .forEach(found::add);
          return found;
        });
  }

  /** Kills the daemon alone. Processes that it started, such as containers, continue to run. */
  public void killDaemon(String daemon) throws IOException {
    killFound(() -> new LinkedHashSet<>(daemon(daemon).map(Set::of).orElse(Set.of())));
  }

  /** Kills all processes of the cluster and waits until they have ended. */
  public void killAll() throws IOException {
    kill(
        () -> {
          Set<ProcessHandle> found = findByEnvironment(this::isOfCluster);
          for (NodeInfo node : plan.all()) {
            ProcessHandle.allProcesses()
                .filter(process -> host.holds(node.name(), process.pid()))
                .forEach(found::add);
          }
          return found;
        });
  }

  private void kill(Supplier<Set<ProcessHandle>> find) throws IOException {
    killFound(() -> withDescendants(find.get()));
  }

  private void killFound(Supplier<Set<ProcessHandle>> find) throws IOException {
    long startNanos = System.nanoTime();
    while (true) {
      Set<ProcessHandle> found = find.get();
      found.remove(ProcessHandle.current());
      if (found.isEmpty()) {
        return;
      }
      // A process that is being killed may start others, so this repeats until none is left.
      found.forEach(ProcessHandle::destroyForcibly);
      if (System.nanoTime() - startNanos > LIMIT_NANOS) {
        throw new ClusterException(
            "Processes of " + plan.dir() + " did not end when killed: " + found);
      }
      pause();
    }
  }

  private boolean isOfCluster(Map<String, String> environment) {
    return plan.dir().toString().equals(environment.get(NodeEnvironment.CLUSTER));
  }

  private static Set<ProcessHandle> withDescendants(Set<ProcessHandle> roots) {
    Set<ProcessHandle> all = new LinkedHashSet<>(roots);
    roots.forEach(root -> root.descendants().forEach(all::add));
    return all;
  }

  private static Set<ProcessHandle> findByEnvironment(Predicate<Map<String, String>> test) {
    return ProcessHandle.allProcesses()
        .filter(process -> test.test(environment(process.pid())))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns an empty map for a process that has ended or that this user may not inspect. */
  private static Map<String, String> environment(long pid) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(Path.of("/proc", String.valueOf(pid), "environ"));
    } catch (IOException e) {
      return Map.of();
    }
    Map<String, String> environment = new HashMap<>();
    Arrays.stream(new String(bytes, StandardCharsets.UTF_8).split("\0"))
        .map(line -> line.split("=", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> environment.put(pair[0], pair[1]));
    return environment;
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while ending processes");
    }
  }
}
