package dev.weir.workflow.yarn;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/** Who is to blame for the end of a worker's container, as far as YARN says it. */
enum EndCause {

  /** It ended by itself, could not be started, or nobody says why it is gone. */
  ITSELF(true, true),

  /** YARN has killed it for what ran in it, which would do the same on any node. */
  TASKS(true, false),

  /** The disks of its node have failed. */
  DISKS(false, true),

  /** YARN wanted its room for others, has started anew, or has given up its node. */
  YARN(false, false);

  private final boolean theRuns;
  private final boolean theNodes;

  EndCause(boolean theRuns, boolean theNodes) {
    this.theRuns = theRuns;
    this.theNodes = theNodes;
  }

  /**
   * What an exit status says. What this ApplicationMaster gives back is ABORTED, too: who does so
   * has to know its cause before.
   *
   * @param exitStatus of a container, one of {@link ContainerExitStatus} or of its process
   */
  static EndCause of(int exitStatus) {
    return switch (exitStatus) {
      case ContainerExitStatus.PREEMPTED,
          ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
          ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
          ContainerExitStatus.ABORTED ->
          YARN;
      case ContainerExitStatus.DISKS_FAILED -> DISKS;
      case ContainerExitStatus.KILLED_EXCEEDED_VMEM,
          ContainerExitStatus.KILLED_EXCEEDED_PMEM,
          ContainerExitStatus.KILLED_FOR_EXCESS_LOGS ->
          TASKS;
      default -> ITSELF;
    };
  }

  /** Whether YARN has killed a container for the memory of what ran in it. */
  static boolean isForMemory(int exitStatus) {
    return exitStatus == ContainerExitStatus.KILLED_EXCEEDED_VMEM
        || exitStatus == ContainerExitStatus.KILLED_EXCEEDED_PMEM;
  }

  /** Whether many such ends say that there is no point in asking for more containers. */
  boolean isTheRuns() {
    return theRuns;
  }

  /** Whether several such ends say that nothing can run on the node. */
  boolean isTheNodes() {
    return theNodes;
  }
}
