package dev.weir.cluster;

import dev.weir.cluster.host.NodeHost;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterFiles;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.process.ProcessTable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileUtil;

/** Removes everything of a cluster, also after an incomplete start or removal. */
final class ClusterTeardown {
  private final ClusterPlan plan;
  private final NodeHost host;
  private final ProcessTable processes;
  private final ClusterRegistry registry;

  ClusterTeardown(
      ClusterPlan plan, NodeHost host, ProcessTable processes, ClusterRegistry registry) {
    this.plan = plan;
    this.host = host;
    this.processes = processes;
    this.registry = registry;
  }

  /**
   * Processes are removed first, because they use the rest. The state is removed last, because it
   * lists what to remove.
   */
  void run() throws IOException {
    processes.killAll();
    host.destroy();
    removeFiles();
    registry.release(plan.index(), plan.dir());
  }

  void removeFiles() throws IOException {
    for (String child : ClusterFiles.CHILDREN) {
      Path file = plan.dir().resolve(child);
      if (!FileUtil.fullyDelete(file.toFile())) {
        throw new ClusterException("Cannot delete all of " + file);
      }
    }
    try {
      Files.deleteIfExists(plan.dir());
    } catch (DirectoryNotEmptyException e) {
      // Files that do not belong to the cluster stay.
    }
  }
}
