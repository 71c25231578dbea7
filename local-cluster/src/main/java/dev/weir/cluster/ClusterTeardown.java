package dev.weir.cluster;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes what belongs to a cluster, however far its start or an earlier removal got. */
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

  /** Processes first, for they hold the rest; the state last, for it tells what there is to do. */
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
      // Something that was put there by somebody else stays.
    }
  }

  /** Deletes a tree without following its links. */
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
