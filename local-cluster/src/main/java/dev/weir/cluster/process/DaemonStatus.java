package dev.weir.cluster.process;

import java.nio.file.Path;

/**
 * The state of a daemon.
 *
 * @param name its name, as the methods of {@code LocalCluster} accept it
 * @param node the node that it runs on
 * @param pid its process id; 0 if it does not run
 * @param log its log file
 */
public record DaemonStatus(String name, String node, String address, long pid, Path log) {
  public boolean isAlive() {
    return pid != 0;
  }
}
