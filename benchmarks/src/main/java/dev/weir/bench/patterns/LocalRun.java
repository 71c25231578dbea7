package dev.weir.bench.patterns;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.commons.io.FileUtils;

/**
 * Runs a workflow's commands on the local file system, as many in parallel as there are nodes. It
 * measures what this machine's processors and disk need for them without Hadoop.
 */
final class LocalRun {
  private final int nodes;
  private final Path scratch;

  /**
   * Creates a run for a number of nodes.
   *
   * @param scratch the parent directory of the run's directory
   */
  LocalRun(int nodes, Path scratch) {
    this.nodes = nodes;
    this.scratch = scratch;
  }

  /**
   * Runs the commands.
   *
   * @return the duration in seconds
   * @throws IOException if a command fails
   */
  double seconds(Workflow workflow) throws IOException {
    Path directory = Files.createTempDirectory(scratch, "local-");
    ExecutorService workers = Executors.newFixedThreadPool(nodes);
    try {
      WorkflowGraph graph = workflow.graph();
      for (DataFile input : graph.workflowInputs()) {
        makeFile(directory, input);
      }
      long begin = System.nanoTime();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      Map<String, CompletableFuture<Void>> ends = new HashMap<>();
      for (Task task : graph.topologicalOrder()) {
        CompletableFuture<?>[] before =
            graph.parents(task.id()).stream()
                .map(parent -> ends.get(parent.id()))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> end =
            CompletableFuture.allOf(before).thenRunAsync(() -> execute(task, directory), workers);
        ends.put(task.id(), end);
        all.add(end);
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).join();
      return (System.nanoTime() - begin) / 1e9;
    } catch (CompletionException e) {
      throw new IOException("Without Hadoop: " + e.getCause(), e);
    } finally {
      workers.shutdownNow();
      FileUtils.deleteDirectory(directory.toFile());
    }
  }

  /** Creates an input of a workflow. */
  static void makeFile(Path directory, DataFile file) throws IOException {
    try (OutputStream out = Files.newOutputStream(directory.resolve(file.id()))) {
      FileContents.write(file.id(), file.sizeBytes(), out);
    }
  }

  private static void copy(FileRegion region, Path directory) throws IOException {
    try (FileChannel in = FileChannel.open(directory.resolve(region.file()));
        FileChannel out =
            FileChannel.open(
                directory.resolve(region.id()),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
      long done = 0;
      while (done < region.length()) {
        done += in.transferTo(region.offset() + done, region.length() - done, out);
      }
    }
  }

  private static void execute(Task task, Path directory) {
    if (task.joinsRegions()) {
      return; // each would have been written in its place
    }
    try {
      for (FileRegion region : task.regions()) {
        copy(region, directory);
      }
      int code =
          new ProcessBuilder(task.command())
              .directory(directory.toFile())
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0) {
        throw new CompletionException(new IOException(task.id() + " ended with exit code " + code));
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }
}
