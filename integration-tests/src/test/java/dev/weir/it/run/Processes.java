package dev.weir.it.run;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Java processes of containers. */
final class Processes {
  /** The main class of the ApplicationMaster of a run. */
  static final String MASTER = "dev.weir.workflow.session.SessionMaster";

  /** The main class of a worker. */
  static final String WORKER = "dev.weir.workflow.worker.WorkerMain";

  private Processes() {}

  /** The nearest ancestor that runs a Java main class. */
  static ProcessHandle ancestor(long pid, String mainClass) {
    Optional<ProcessHandle> at = ProcessHandle.of(pid);
    while (at.isPresent() && !runs(at.get(), mainClass)) {
      at = at.get().parent();
    }
    return at.orElseThrow(() -> new AssertionError("No " + mainClass + " above " + pid));
  }

  /** The process that runs a Java main class and has a text in its command line. */
  static ProcessHandle containing(String mainClass, String text) {
    return allContaining(mainClass, text)
        .findFirst()
        .orElseThrow(() -> new AssertionError("No " + mainClass + " of " + text));
  }

  /** All processes that run a Java main class and have a text in their command line. */
  static Stream<ProcessHandle> allContaining(String mainClass, String text) {
    return ProcessHandle.allProcesses()
        .filter(process -> runs(process, mainClass) && commandLine(process).contains(text));
  }

  /** The node that a container of a cluster is on, by its directories. */
  static String node(ProcessHandle container, LocalCluster cluster) {
    return cluster.nodes().stream()
        .map(NodeInfo::name)
        .filter(name -> commandLine(container).contains("/" + name + "/"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No node runs " + commandLine(container)));
  }

  static String commandLine(ProcessHandle process) {
    return process.info().commandLine().orElse("");
  }

  /**
   * Whether a process has ended. A zombie has ended: its parent, or the process that adopted it
   * from a killed parent, may reap it late.
   */
  static boolean hasEnded(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The state follows the name, which may contain brackets and blanks.
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state == 'Z' || state == 'X';
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean runs(ProcessHandle process, String mainClass) {
    return process.info().command().orElse("").endsWith("/java")
        && commandLine(process).contains(mainClass);
  }
}
