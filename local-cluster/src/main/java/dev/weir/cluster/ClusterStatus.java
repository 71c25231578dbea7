package dev.weir.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster is.
 *
 * @param daemons all that there should be
 * @param liveDataNodes as the active NameNode counts them; 0 if it does not answer
 * @param activeNameNode the daemon that serves clients; null if none does
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

  /** Whether every daemon runs. */
  public boolean isComplete() {
    return daemons.stream().allMatch(DaemonStatus::isAlive);
  }
}
