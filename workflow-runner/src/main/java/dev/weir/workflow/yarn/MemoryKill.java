package dev.weir.workflow.yarn;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;

/** Explains that YARN has killed a worker's container for its memory. */
final class MemoryKill {

  /** The NodeManager's figures, such as {@code 1.2 GB of 1 GB physical memory used}. */
  private static final Pattern USAGE =
      Pattern.compile("Current usage: (.+? memory used); (.+? memory used)");

  private MemoryKill() {}

  /** Returns whether YARN killed a container because it exceeded its memory. */
  static boolean isCauseOf(ContainerStatus status) {
    return status.getExitStatus() == ContainerExitStatus.KILLED_EXCEEDED_PMEM || isVirtual(status);
  }

  private static boolean isVirtual(ContainerStatus status) {
    return status.getExitStatus() == ContainerExitStatus.KILLED_EXCEEDED_VMEM;
  }

  /** Returns what the container used of its memory, and the remedy, in one line. */
  static String explain(ContainerStatus status) {
    return "YARN killed its worker's container, which used more memory than it has ("
        + usage(status)
        + "): declare the memory that the task needs, or give workers more with --worker-memory"
        + (isVirtual(status)
            ? "; an administrator may set yarn.nodemanager.vmem-check-enabled to false"
            : "");
  }

  private static String usage(ContainerStatus status) {
    Matcher usage = USAGE.matcher(status.getDiagnostics());
    return usage.find()
        ? usage.group(isVirtual(status) ? 2 : 1)
        : status.getDiagnostics().strip().lines().findFirst().orElse("without details");
  }
}
