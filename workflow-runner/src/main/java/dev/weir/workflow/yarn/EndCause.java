package dev.weir.workflow.yarn;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/** The cause of a worker container's end, as far as YARN reports it. */
enum EndCause {

  /** It ended by itself, could not be started, or is lost for an unknown reason. */
  SELF(true, true),

  /** YARN killed it because of its processes, which would do the same on any node. */
  TASKS(true, false),

  /** The disks of its node have failed. */
  DISKS(false, true),

  /** YARN preempted it. */
  PREEMPTED(false, false),

  /**
   * YARN killed it, or its node is lost, decommissioned or unhealthy. The tasks may be the cause: a
   * task that fills the disks makes its node unhealthy.
   */
  YARN(false, false);

  private final boolean countsAgainstRun;
  private final boolean countsAgainstNode;

  EndCause(boolean countsAgainstRun, boolean countsAgainstNode) {
    this.countsAgainstRun = countsAgainstRun;
    this.countsAgainstNode = countsAgainstNode;
  }

  /**
   * Maps an exit status to a cause. Containers that this ApplicationMaster releases are ABORTED,
   * too; it must record their cause before.
   *
   * @param exitStatus of a container, one of {@link ContainerExitStatus} or of its process
   */
  static EndCause of(int exitStatus) {
    return switch (exitStatus) {
      case ContainerExitStatus.PREEMPTED, ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER ->
          PREEMPTED;
      case ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
          ContainerExitStatus.KILLED_AFTER_APP_COMPLETION,
          ContainerExitStatus.ABORTED ->
          YARN;
      case ContainerExitStatus.DISKS_FAILED -> DISKS;
      case ContainerExitStatus.KILLED_EXCEEDED_VMEM,
          ContainerExitStatus.KILLED_EXCEEDED_PMEM,
          ContainerExitStatus.KILLED_FOR_EXCESS_LOGS ->
          TASKS;
      default -> SELF;
    };
  }

  /** Returns whether YARN ended the container for reasons of its own, as far as is known. */
  boolean isOfYarn() {
    return this == PREEMPTED || this == YARN;
  }

  /** Returns whether many such ends mean that requesting more containers is useless. */
  boolean countsAgainstRun() {
    return countsAgainstRun;
  }

  /** Returns whether several such ends mean that the node is unusable. */
  boolean countsAgainstNode() {
    return countsAgainstNode;
  }
}
