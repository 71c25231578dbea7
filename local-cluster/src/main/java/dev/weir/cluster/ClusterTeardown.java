package dev.weir.cluster;

import dev.weir.cluster.host.NodeHost;
import dev.weir.cluster.plan.ClusterFiles;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.plan.ClusterRegistry;
import dev.weir.cluster.process.ProcessTable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

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
      delete(plan.dir().resolve(child));
    }
    try {
      Files.deleteIfExists(plan.dir());
    } catch (DirectoryNotEmptyException e) {
      // Files that do not belong to the cluster stay.
    }
  }

  /** Deletes a directory tree without following symbolic links. */
  private static void delete(Path tree) throws IOException {
    try {
      Files.walkFileTree(
          tree,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.deleteIfExists(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // Nothing to delete.
    }
  }
}
