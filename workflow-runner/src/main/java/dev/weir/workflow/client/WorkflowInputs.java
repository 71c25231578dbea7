package dev.weir.workflow.client;

import dev.weir.hints.Suggestion;
import dev.weir.workflow.hdfs.HdfsRefusals;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.staging.AtomicUpload;
import dev.weir.workflow.staging.HomeDirectory;
import dev.weir.workflow.staging.RunException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.time.Clock;
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
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;

/** Checks the inputs of a workflow in HDFS, uploads them, or generates them for a stand-in run. */
public final class WorkflowInputs {

  private static final int PARALLEL_UPLOADS = 4;
  private static final int SHOWN = 5;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final java.nio.file.Path NO_FILE = java.nio.file.Path.of("");

  /**
   * Age in milliseconds of an abandoned upload: a day. No upload takes that long, and no two clocks
   * differ that much.
   */
  private static final long ABANDONED_MILLIS = 86_400_000;

  private final DistributedFileSystem fs;
  private final WorkflowGraph graph;
  private final List<DataFile> inputs;
  private final String dataDir;
  private final Clock clock;
  private final AtomicUpload uploads;

  public WorkflowInputs(DistributedFileSystem fs, Workflow workflow, String dataDir, Clock clock) {
    this(fs, workflow, dataDir, clock, Set.of());
  }

  /**
   * Creates it for tasks that are added to a run.
   *
   * @param known files of the run: its tasks make them or read them now, so they are left alone
   */
  WorkflowInputs(
      DistributedFileSystem fs, Workflow workflow, String dataDir, Clock clock, Set<String> known) {
    this.fs = fs;
    this.clock = clock;
    this.uploads = new AtomicUpload(fs);
    this.graph = workflow.graph();
    this.inputs =
        graph.workflowInputs().stream().filter(input -> !known.contains(input.id())).toList();
    this.dataDir = dataDir;
  }

  private Path path(String fileId) {
    return new Path(null, null, FileIds.pathIn(dataDir, fileId));
  }

  /**
   * Uploads inputs from a local directory that are missing in HDFS, differ in size, or are
   * incomplete.
   */
  void upload(java.nio.file.Path directory) throws IOException, InterruptedException {
    if (!Files.isDirectory(directory)) {
      throw new RunException(
          directory + " is not a directory: name the local one that holds the workflow's inputs");
    }
    upload(input -> directory.resolve(input.id()));
  }

  /** Uploads inputs from local files, as {@link #upload(java.nio.file.Path)} does it. */
  void upload(Map<String, java.nio.file.Path> files) throws IOException, InterruptedException {
    upload(input -> files.getOrDefault(input.id(), NO_FILE));
  }

  private void upload(Function<DataFile, java.nio.file.Path> sources)
      throws IOException, InterruptedException {
    Listing listing = list();
    listing.abandoned(clock.millis() - ABANDONED_MILLIS).forEach(uploads::delete);
    List<Callable<Void>> copies = new ArrayList<>();
    for (DataFile input : inputs) {
      java.nio.file.Path source = sources.apply(input);
      if (Files.isRegularFile(source)
          && !new Found(Files.size(source), false).equals(listing.found().get(input.id()))) {
        copies.add(put(input, out -> Files.copy(source, out)));
      }
    }
    inParallel(copies);
  }

  /** Generates missing inputs with random content of the declared size. */
  public void makeMissing() throws IOException, InterruptedException {
    Map<String, Found> present = list().found();
    List<Callable<Void>> copies = new ArrayList<>();
    for (DataFile input : inputs) {
      if (!present.containsKey(input.id())) {
        copies.add(put(input, out -> writeRandom(input, out)));
      }
    }
    inParallel(copies);
  }

  private Callable<Void> put(DataFile input, ConsumerRaisingIOE<OutputStream> content) {
    return () -> {
      uploads.put(path(input.id()), content);
      return null;
    };
  }

  private static void writeRandom(DataFile input, OutputStream out) throws IOException {
    Random random = new Random(input.id().hashCode());
    byte[] buffer = new byte[BUFFER_BYTES];
    for (long left = input.sizeBytes(); left > 0; left -= buffer.length) {
      random.nextBytes(buffer);
      out.write(buffer, 0, (int) Math.min(left, buffer.length));
    }
  }

  /**
   * Checks that all inputs exist and are complete.
   *
   * @throws RunException if some are not; the message names the first few and the tasks that read
   *     them
   */
  void requireAll() throws IOException {
    Listing listing = list();
    Map<String, Found> present = listing.found();
    require(
        file -> !listing.directories().contains(file.id()),
        "input is a directory",
        "inputs are directories",
        "A directory is not a file: list its files as inputs of the task, or use an archive.");
    require(
        file -> present.containsKey(file.id()),
        "input is not in HDFS and no task writes it",
        "inputs are not in HDFS and no task writes them",
        "Upload the missing files with 'hdfs dfs -put', or give --upload LOCAL_DIR, or --data"
            + " HDFS_DIR if they are in another directory.");
    String open = "still being written, or left open by a writer that died";
    require(
        file -> !present.getOrDefault(file.id(), Found.WHOLE).open(),
        "input is " + open,
        "inputs are " + open,
        "Wait until they are complete. If their writer is gone, upload them again with --upload"
            + " LOCAL_DIR or 'hdfs dfs -put -f'. If their content is complete, have HDFS close them"
            + " with 'hdfs debug recoverLease -path FILE -retries 5'.");
  }

  private void require(Predicate<DataFile> fine, String one, String many, String remedy)
      throws RunException {
    List<DataFile> wrong = inputs.stream().filter(fine.negate()).toList();
    if (wrong.isEmpty()) {
      return;
    }
    // One letter of its name may differ from that of the file which a task makes for it.
    List<String> unread =
        graph.workflow().tasks().stream()
            .flatMap(task -> task.outputs().stream())
            .filter(output -> graph.consumers(output).isEmpty())
            .toList();
    StringBuilder message = new StringBuilder();
    message
        .append("The workflow '")
        .append(graph.workflow().name())
        .append("' cannot start: ")
        .append(wrong.size())
        .append(' ')
        .append(wrong.size() == 1 ? one : many)
        .append(':');
    for (DataFile file : wrong.subList(0, Math.min(SHOWN, wrong.size()))) {
      Task reader = graph.consumers(file.id()).get(0);
      message
          .append("\n  ")
          .append(path(file.id()))
          .append(" (read by task '")
          .append(reader.id())
          .append("')")
          .append(Suggestion.question(file.id(), unread));
    }
    if (wrong.size() > SHOWN) {
      message.append("\n  and ").append(wrong.size() - SHOWN).append(" more");
    }
    throw new RunException(message.append('\n').append(remedy).toString());
  }

  /**
   * An input that exists.
   *
   * @param bytes its length; for an open file, the known part
   * @param open whether it is being written, or its writer died
   */
  private record Found(long bytes, boolean open) {
    static final Found WHOLE = new Found(0, false);
  }

  /**
   * The contents of the inputs' directories.
   *
   * @param found the inputs that exist, by id
   * @param unfinished temporary files of uploads
   */
  private record Listing(
      Map<String, Found> found, Set<String> directories, List<FileStatus> unfinished) {

    /** Returns the temporary files of uploads that were killed. */
    List<Path> abandoned(long beforeMillis) {
      return unfinished.stream()
          .filter(file -> file.getModificationTime() < beforeMillis)
          .map(FileStatus::getPath)
          .toList();
    }
  }

  /** Lists each directory once. A listing also shows whether a file is open. */
  private Listing list() throws IOException {
    Set<Path> directories = new HashSet<>();
    Map<Path, String> wanted = new HashMap<>();
    Set<Path> stems = new HashSet<>();
    for (DataFile input : inputs) {
      Path path = path(input.id());
      wanted.put(path, input.id());
      stems.add(AtomicUpload.stem(path));
      directories.add(path.getParent());
    }
    Listing listing = new Listing(new HashMap<>(), new HashSet<>(), new ArrayList<>());
    for (Path directory : directories) {
      for (FileStatus file : list(directory)) {
        Path path = Path.getPathWithoutSchemeAndAuthority(file.getPath());
        @Nullable String id = wanted.get(path);
        @Nullable Path stem = AtomicUpload.stemOf(path);
        if (id != null && file.isFile()) {
          listing.found().put(id, new Found(file.getLen(), isOpen(file)));
        } else if (id != null && file.isDirectory()) {
          listing.directories().add(id);
        } else if (stem != null && stems.contains(stem)) {
          listing.unfinished().add(file);
        }
      }
    }
    return listing;
  }

  private static boolean isOpen(FileStatus file) {
    return file instanceof HdfsLocatedFileStatus located
        && located.getLocatedBlocks().isUnderConstruction();
  }

  private List<FileStatus> list(Path directory) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> all = fs.listLocatedStatus(directory);
      while (all.hasNext()) {
        files.add(all.next());
      }
      return files;
    } catch (FileNotFoundException e) {
      return files;
    }
  }

  private void inParallel(List<Callable<Void>> copies) throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(PARALLEL_UPLOADS);
    try {
      for (Future<Void> copy : pool.invokeAll(copies)) {
        copy.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AccessControlException refused
          && HomeDirectory.explained(fs, new Path(dataDir), refused)
              instanceof RunException noHome) {
        throw noHome;
      }
      throw new RunException("Cannot copy the inputs to HDFS: " + message(e.getCause()), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static String message(@Nullable Throwable problem) {
    if (problem instanceof FileSystemException local) {
      // The message alone is only the file name if the file is missing or unreadable.
      return local.getClass().getSimpleName() + ": " + local.getMessage();
    }
    return HdfsRefusals.explained(problem);
  }
}
