package dev.weir.cluster;

import java.nio.file.Path;

/**
 * How a daemon is.
 *
 * @param name its name, as {@link LocalCluster#log} and {@link LocalCluster#jmx} take it
 * @param node the node that it runs on
 * @param address the node's address
 * @param pid its process id; 0 if it does not run
 * @param log its log
 */
public record DaemonStatus(String name, String node, String address, long pid, Path log) {
  /** Whether it runs. */
  public boolean isAlive() {
    return pid != 0;
  }
}
