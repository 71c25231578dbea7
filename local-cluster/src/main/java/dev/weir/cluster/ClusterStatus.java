package dev.weir.cluster;

import dev.weir.cluster.process.DaemonStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster.
 *
 * @param daemons all daemons of the plan
 * @param liveDataNodes as the active NameNode counts them; 0 if it does not answer
 * @param activeNameNode the NameNode that serves clients; null if there is none
 * @param activeNodeManagers as the ResourceManager counts them; 0 if it does not answer
 */
public record ClusterStatus(
    List<DaemonStatus> daemons,
    int liveDataNodes,
    @Nullable String activeNameNode,
    int activeNodeManagers) {
  public ClusterStatus {
    daemons = List.copyOf(daemons);
  }

  /** Returns whether every daemon runs. */
  public boolean isComplete() {
    return daemons.stream().allMatch(DaemonStatus::isAlive);
  }
}
