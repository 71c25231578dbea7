package dev.weir.cluster;

import dev.weir.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds processes of a cluster by other means than the code under test. */
public final class OrphanFinder {
  private OrphanFinder() {}

  /** The command lines of all processes that name the cluster in their environment or arguments. */
  public static List<String> of(Path dir) {
    return ProcessHandle.allProcesses()
        .filter(process -> mentions(process, dir))
        .map(process -> process.pid() + " " + process.info().commandLine().orElse(""))
        .toList();
  }

  /**
   * Returns whether a process has ended. A zombie, whose parent has not yet waited for it, has
   * ended.
   */
  public static boolean hasEnded(long pid) {
    String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
    // The state follows the name, which may itself contain brackets and blanks.
    return stat.isEmpty() || "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
  }

  /** Network interfaces and namespaces whose names start with that of the cluster's bridge. */
  public static List<String> networkOf(ClusterPlan plan) throws IOException {
    return Stream.concat(
            list(Path.of("/sys/class/net")).filter(name -> isOf(plan, name)),
            list(Path.of("/run/netns")).filter(name -> name.startsWith(plan.bridge() + "-")))
        .toList();
  }

  private static boolean isOf(ClusterPlan plan, String name) {
    return name.equals(plan.bridge())
        || plan.all().stream().anyMatch(node -> name.equals(plan.interfaceOf(node.name())));
  }

  private static boolean mentions(ProcessHandle process, Path dir) {
    String proc = "/proc/" + process.pid();
    String mark = "WEIR_CLUSTER=" + dir + "\0";
    return read(Path.of(proc, "environ")).contains(mark)
        || read(Path.of(proc, "cmdline")).contains(dir + "/nodes/");
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  private static Stream<String> list(Path dir) {
    String[] names = dir.toFile().list();
    return names == null ? Stream.of() : Stream.of(names);
  }
}
