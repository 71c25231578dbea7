package dev.weir.cluster;

import java.util.List;

/**
 * How a cluster is.
 *
 * @param daemons all that there should be
 * @param liveDataNodes as the NameNode counts them; 0 if it does not answer
 * @param activeNodeManagers as the ResourceManager counts them; 0 if it does not answer
 */
public record ClusterStatus(List<DaemonStatus> daemons, int liveDataNodes, int activeNodeManagers) {
  public ClusterStatus {
    daemons = List.copyOf(daemons);
  }

  /** Whether every daemon runs. */
  public boolean isComplete() {
    return daemons.stream().allMatch(DaemonStatus::isAlive);
  }
}
