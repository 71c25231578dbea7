package dev.weir.workflow.run;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The inputs of a workflow in HDFS: found, uploaded, or made for a stand-in run. */
final class Inputs {

  private static final int TRANSFERS = 4;
  private static final int SHOWN = 5;
  private static final int BUFFER_BYTES = 64 << 10;

  private final DistributedFileSystem fs;
  private final WorkflowGraph graph;
  private final String dataDir;

  Inputs(DistributedFileSystem fs, Workflow workflow, String dataDir) {
    this.fs = fs;
    this.graph = workflow.graph();
    this.dataDir = dataDir;
  }

  private Path path(String fileId) {
    return new Path(null, null, dataDir.equals("/") ? "/" + fileId : dataDir + "/" + fileId);
  }

  /** Copies from a local directory what HDFS lacks or has in another size. */
  void upload(java.nio.file.Path directory) throws IOException, InterruptedException {
    if (!Files.isDirectory(directory)) {
      throw new RunException(
          directory + " is no directory: name the local one that holds the workflow's inputs");
    }
    Map<String, Long> present = sizes();
    List<Callable<Void>> copies = new ArrayList<>();
    for (DataFile input : graph.workflowInputs()) {
      java.nio.file.Path source = directory.resolve(input.id());
      if (Files.isRegularFile(source)
          && !Long.valueOf(Files.size(source)).equals(present.get(input.id()))) {
        copies.add(
            () -> {
              try (OutputStream out = fs.create(path(input.id()), true)) {
                Files.copy(source, out);
              }
              return null;
            });
      }
    }
    inParallel(copies);
  }

  /** Makes what HDFS lacks, of the declared size. */
  void makeMissing() throws IOException, InterruptedException {
    Map<String, Long> present = sizes();
    List<Callable<Void>> copies = new ArrayList<>();
    for (DataFile input : graph.workflowInputs()) {
      if (!present.containsKey(input.id())) {
        copies.add(
            () -> {
              writeRandom(input);
              return null;
            });
      }
    }
    inParallel(copies);
  }

  private void writeRandom(DataFile input) throws IOException {
    Random random = new Random(input.id().hashCode());
    byte[] buffer = new byte[BUFFER_BYTES];
    try (OutputStream out = fs.create(path(input.id()), true)) {
      for (long left = input.sizeBytes(); left > 0; left -= buffer.length) {
        random.nextBytes(buffer);
        out.write(buffer, 0, (int) Math.min(left, buffer.length));
      }
    }
  }

  /**
   * Checks that all are there.
   *
   * @throws RunException when some are not; it names the first few and who reads them
   */
  void requireAll() throws IOException {
    Map<String, Long> present = sizes();
    List<DataFile> missing =
        graph.workflowInputs().stream().filter(file -> !present.containsKey(file.id())).toList();
    if (missing.isEmpty()) {
      return;
    }
    StringBuilder message = new StringBuilder();
    message
        .append("The workflow '")
        .append(graph.workflow().name())
        .append("' cannot start: ")
        .append(missing.size())
        .append(missing.size() == 1 ? " input is" : " inputs are")
        .append(" not in HDFS and no task makes them:");
    for (DataFile file : missing.subList(0, Math.min(SHOWN, missing.size()))) {
      Task reader = graph.consumers(file.id()).get(0);
      message
          .append("\n  ")
          .append(path(file.id()))
          .append(" (read by task '")
          .append(reader.id())
          .append("')");
    }
    if (missing.size() > SHOWN) {
      message.append("\n  and ").append(missing.size() - SHOWN).append(" more");
    }
    message.append(
        "\nPut them there with 'hdfs dfs -put', or give --upload LOCAL_DIR, or --data HDFS_DIR if"
            + " they are elsewhere.");
    throw new RunException(message.toString());
  }

  /** Sizes of the inputs that are there, by one listing for each directory. */
  private Map<String, Long> sizes() throws IOException {
    Set<Path> directories = new HashSet<>();
    Map<Path, String> wanted = new HashMap<>();
    for (DataFile input : graph.workflowInputs()) {
      Path path = path(input.id());
      wanted.put(path, input.id());
      directories.add(path.getParent());
    }
    Map<String, Long> sizes = new HashMap<>();
    for (Path directory : directories) {
      for (FileStatus file : list(directory)) {
        String id = wanted.get(Path.getPathWithoutSchemeAndAuthority(file.getPath()));
        if (id != null && file.isFile()) {
          sizes.put(id, file.getLen());
        }
      }
    }
    return sizes;
  }

  private List<FileStatus> list(Path directory) throws IOException {
    try {
      return List.of(fs.listStatus(directory));
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  private static void inParallel(List<Callable<Void>> copies)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(TRANSFERS);
    try {
      for (Future<Void> copy : pool.invokeAll(copies)) {
        copy.get();
      }
    } catch (ExecutionException e) {
      throw new RunException(
          "Cannot copy the inputs to HDFS: " + e.getCause(),
          e.getCause() == null ? e : e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
