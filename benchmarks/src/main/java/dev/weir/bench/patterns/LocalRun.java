package dev.weir.bench.patterns;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Runs a workflow's commands on the local file system, as many side by side as there are nodes:
 * what this machine's processors and disk take for it, without any Hadoop.
 */
final class LocalRun {
  private final int nodes;
  private final Path scratch;

  /**
   * On so many nodes.
   *
   * @param scratch a directory in which one for the run is made
   */
  LocalRun(int nodes, Path scratch) {
    this.nodes = nodes;
    this.scratch = scratch;
  }

  /**
   * Runs it.
   *
   * @return how many seconds it took
   * @throws IOException when a command fails
   */
  double seconds(Workflow workflow) throws IOException {
    Path directory = Files.createTempDirectory(scratch, "local-");
    ExecutorService workers = Executors.newFixedThreadPool(nodes);
    try {
      WorkflowGraph graph = workflow.graph();
      for (DataFile input : graph.workflowInputs()) {
        makeFile(directory.resolve(input.id()), input.sizeBytes());
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

  /** Of zeros, without their taking any space. */
  static void makeFile(Path file, long bytes) throws IOException {
    try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
      made.setLength(bytes);
    }
  }

  private static void execute(Task task, Path directory) {
    try {
      int code =
          new ProcessBuilder(task.command())
              .directory(directory.toFile())
              .inheritIO()
              .start()
              .waitFor();
      if (code != 0) {
        throw new CompletionException(new IOException(task.id() + " ended with " + code));
      }
    } catch (IOException e) {
      throw new CompletionException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }
}
