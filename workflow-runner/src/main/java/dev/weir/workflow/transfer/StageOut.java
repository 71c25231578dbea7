package dev.weir.workflow.transfer;

import static java.util.stream.Collectors.toSet;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.CommitAttribute;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.sandbox.GlobOutputs;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.sandbox.UndeclaredFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the declared outputs of an attempt and commits them. Those for HDFS are stored under
 * temporary names first and then renamed, so that no reader ever sees a partial file. Others are
 * moved into the store of this node. Of several outputs, the last to be renamed carries a mark that
 * lists all, because this worker may die midway. Outputs that patterns have found have their
 * temporary names in a directory, which then carries the mark.
 */
public final class StageOut {

  private static final Logger LOG = LoggerFactory.getLogger(StageOut.class);

  /** The most files that the patterns of an order may find. */
  static final int MAX_FOUND = 10_000;

  private final DataStore store;
  private final ExecutorService pool;

  private final CommitPermit permit;

  /** Outputs that later tasks of this node may use in place. */
  private final Queue<DataStore.StoredOutput> reusable = new ConcurrentLinkedQueue<>();

  /** Outputs that are committed to the store of this node, by their names in the sandbox. */
  private final Map<String, DataStore.Kept> kept = new ConcurrentHashMap<>();

  /** Gives these outputs to later tasks, once they have their final names. */
  private Runnable localReuse = () -> {};

  /**
   * Creates the stage-out of an attempt.
   *
   * @param permit awaited when all outputs are stored under their temporary names
   */
  public StageOut(DataStore store, ExecutorService pool, CommitPermit permit) {
    this.store = store;
    this.pool = pool;
    this.permit = permit;
  }

  /** Outputs that cannot be committed, whatever worker runs the command. */
  static final class InvalidOutputException extends IOException {

    private static final long serialVersionUID = 1L;

    InvalidOutputException(String message) {
      super(message);
    }
  }

  /**
   * Finds, stores and commits the outputs, and gives the shared ones to later tasks of this node.
   *
   * @param described its patterns of outputs are applied to the sandbox
   * @param integrity checks inputs, some of which may have become outputs
   * @throws InvalidOutputException when the command did not create a declared output, or created
   *     files that the patterns must not find
   * @throws IOException when an output cannot be stored; the temporary files are removed if the
   *     store answers
   */
  public List<StoredFile> run(TaskOrder described, Sandbox sandbox, InputIntegrity integrity)
      throws IOException, InterruptedException {
    TaskOrder order = described.withOutputs(GlobOutputs.find(described, sandbox));
    requireFindable(order);
    List<Path> files = new ArrayList<>();
    for (FileSlot output : files(order)) {
      Path file = sandbox.file(output.name());
      requireCreated(output, file, order, sandbox);
      files.add(file);
    }
    List<StoredFile> stored =
        commit(
            order,
            () -> {
              List<StoredFile> all = storeAll(order, sandbox);
              integrity.requireUnaltered(files);
              return all;
            });
    localReuse.run();
    return stored;
  }

  private static void requireFindable(TaskOrder order) throws InvalidOutputException {
    List<FileSlot> found =
        order.outputs().stream().filter(output -> output.kind() == FileSlot.Kind.FOUND).toList();
    if (found.size() > MAX_FOUND) {
      throw new InvalidOutputException(
          "the patterns of outputs found "
              + found.size()
              + " files, more than "
              + MAX_FOUND
              + ": have the command pack them");
    }
    Set<String> taken =
        Stream.concat(order.inputs().stream(), files(order).stream())
            .filter(file -> file.kind() != FileSlot.Kind.FOUND)
            .map(FileSlot::path)
            .collect(toSet());
    for (FileSlot output : found) {
      if (taken.contains(output.path())) {
        throw new InvalidOutputException(
            "a pattern of outputs found '"
                + output.name()
                + "', whose path "
                + output.path()
                + " is that of another file of the job: give one of both another path");
      }
    }
  }

  /** Returns the outputs that are files; the patterns come after them. */
  private static List<FileSlot> files(TaskOrder order) {
    return order.outputs().stream().filter(output -> output.kind() != FileSlot.Kind.GLOB).toList();
  }

  /** Returns the directories of temporary names, which are deleted with the last rename. */
  private static List<String> directories(TaskOrder order) {
    boolean hasFound =
        order.outputs().stream().anyMatch(output -> output.kind() == FileSlot.Kind.FOUND);
    return order.outputs().stream()
        .filter(output -> hasFound && output.kind() == FileSlot.Kind.GLOB)
        .map(output -> TemporaryName.of(output, order.label()))
        .distinct()
        .toList();
  }

  /** Commits what was stored; on failure the temporary files are removed if the store answers. */
  List<StoredFile> commit(TaskOrder order, HdfsRetry.Work<List<StoredFile>> storing)
      throws IOException, InterruptedException {
    List<StoredFile> stored;
    boolean ready = false;
    try {
      stored = storing.get();
      requirePermit(order);
      mark(order, stored);
      ready = true;
    } finally {
      if (!ready) {
        removeTemporaries(order);
      }
    }
    commitAll(order, stored);
    return stored;
  }

  /**
   * Commits a file joined of regions that no longer exist; it stays after any failure.
   *
   * @param joined its path
   */
  void commitJoined(TaskOrder order, String joined, long bytes)
      throws IOException, InterruptedException {
    requirePermit(order);
    String path = order.outputs().get(0).path();
    try {
      commitDespiteInterrupt(joined, path);
    } catch (FileNotFoundException e) {
      // An earlier, unanswered call may have renamed it.
      if (!exists(path, bytes)) {
        throw e;
      }
      LOG.debug("{} was renamed before", joined, e);
    }
  }

  private boolean exists(String path, long bytes) throws IOException {
    try {
      return store.extents(path).stream().mapToLong(BlockExtent::length).sum() == bytes;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private void requirePermit(TaskOrder order) throws InterruptedException {
    permit.await();
    if (Thread.interrupted()) {
      // Another worker may have the task by now, with newer files.
      throw new InterruptedException("interrupted before the commit of " + order.task());
    }
  }

  /**
   * Renames all outputs or none. An interrupt does not stop the renames, which take milliseconds;
   * when one fails, the others are undone.
   */
  private void commitAll(TaskOrder order, List<StoredFile> stored)
      throws IOException, InterruptedException {
    List<Output> outputs = inHdfs(order, stored);
    int renamed = 0;
    boolean complete = false;
    try {
      for (DataStore.Kept output : kept.values()) {
        output.commit();
      }
      for (Output output : outputs) {
        commitDespiteInterrupt(TemporaryName.of(output.slot(), order.label()), output.path());
        renamed++;
      }
      for (String directory : directories(order)) {
        HdfsRetry.DEFAULT.run(() -> store.remove(directory));
      }
      complete = true;
    } finally {
      if (!complete) {
        kept.values().forEach(DataStore.Kept::undo);
        undo(order, outputs, renamed);
      }
    }
  }

  private record Output(FileSlot slot, StoredFile stored) {
    String path() {
      return slot.path();
    }
  }

  private List<Output> inHdfs(TaskOrder order, List<StoredFile> stored) {
    List<Output> outputs = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      if (!stored.get(i).onNode()) {
        outputs.add(new Output(order.outputs().get(i), stored.get(i)));
      }
    }
    return outputs;
  }

  /** Without its inode number a file cannot be distinguished from another of its name. */
  private void mark(TaskOrder order, List<StoredFile> stored)
      throws IOException, InterruptedException {
    List<Output> outputs = inHdfs(order, stored);
    List<String> directories = directories(order);
    int last = outputs.size() - 1;
    List<Long> numbers = outputs.stream().map(output -> output.stored().fileId()).toList();
    if ((last > 0 || !directories.isEmpty()) && !numbers.contains(0L)) {
      String path =
          directories.isEmpty()
              ? TemporaryName.of(outputs.get(last).slot(), order.label())
              : directories.get(0);
      CommitAttribute mark = new CommitAttribute(numbers);
      HdfsRetry.DEFAULT.run(() -> store.mark(path, mark));
    }
  }

  /**
   * Removes files by their inode numbers where these are known. The names may belong to files that
   * another attempt has committed meanwhile, and a rename that failed may have been executed.
   */
  private void undo(TaskOrder order, List<Output> outputs, int renamed) {
    if (outputs.isEmpty()) {
      return;
    }
    List<InvocationRaisingIOE> removals = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      Output output = outputs.get(i);
      long number = output.stored().fileId();
      String path = i < renamed ? output.path() : TemporaryName.of(output.slot(), order.label());
      removals.add(number == 0 ? () -> store.remove(path) : () -> store.remove(number));
    }
    directories(order).forEach(directory -> removals.add(() -> store.remove(directory)));
    int last = removals.size() - 1;
    // The last one is removed last: its mark lists what is left.
    if (removeAll(removals.subList(0, last))) {
      removeAll(removals.subList(last, last + 1));
    }
  }

  private void commitDespiteInterrupt(String from, String to)
      throws IOException, InterruptedException {
    try {
      commit(from, to);
    } catch (IOException e) {
      if (!Thread.interrupted()) {
        throw e;
      }
      LOG.info("Interrupted while {} was committed; finishing the commit", to, e);
      commitUnlessDone(from, to);
    }
  }

  /** Repeats a rename whose first call may have been executed. */
  private void commitUnlessDone(String from, String to) throws IOException, InterruptedException {
    try {
      commit(from, to);
    } catch (FileNotFoundException e) {
      LOG.debug("{} was renamed before", from, e);
    }
  }

  private void commit(String from, String to) throws IOException, InterruptedException {
    HdfsRetry.DEFAULT.run(() -> store.commit(from, to));
  }

  private static Set<String> declared(TaskOrder order) {
    return Stream.concat(order.inputs().stream(), order.outputs().stream())
        .map(FileSlot::name)
        .collect(toSet());
  }

  private static void requireCreated(FileSlot output, Path file, TaskOrder order, Sandbox sandbox)
      throws IOException {
    if (Files.isDirectory(file)) {
      throw new InvalidOutputException(
          "output '"
              + output.name()
              + "' is a directory: declare the files in it, or have the command pack them");
    }
    if (!Files.isRegularFile(file)) {
      throw new InvalidOutputException(
          "output missing: '"
              + output.name()
              + "' was not created although the command exited with 0; the command created "
              + UndeclaredFiles.in(sandbox, declared(order)).insteadOf(output.name())
              + ": correct the command or the task's outputs");
    }
    if (output.kind() == FileSlot.Kind.REGION && Files.size(file) != output.sizeBytes()) {
      throw new InvalidOutputException(
          "output '"
              + output.name()
              + "' has "
              + Files.size(file)
              + " bytes: a region must have as many as its name says, or the regions after it would"
              + " be misplaced");
    }
  }

  private List<StoredFile> storeAll(TaskOrder order, Sandbox sandbox)
      throws IOException, InterruptedException {
    TransferGroup group = new TransferGroup(pool);
    List<Future<StoredFile>> transfers = new ArrayList<>();
    for (FileSlot output : files(order)) {
      transfers.add(group.begin(() -> store(output, order, sandbox)));
    }
    List<StoredFile> stored = new ArrayList<>();
    try {
      for (Future<StoredFile> transfer : transfers) {
        stored.add(StageIn.await(transfer));
      }
    } catch (IOException e) {
      group.end();
      String path = order.outputs().get(stored.size()).path();
      throw new IOException("cannot store the output " + path + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      group.end();
      throw e;
    }
    localReuse = store.prepareLocalReuse(List.copyOf(reusable));
    return stored;
  }

  private StoredFile store(FileSlot output, TaskOrder order, Sandbox sandbox)
      throws IOException, InterruptedException {
    Path file = sandbox.file(output.name());
    if (output.kind() == FileSlot.Kind.KEPT && sandbox.isInside(file)) {
      Optional<DataStore.Kept> onNode = store.keep(file, output.path());
      if (onNode.isPresent()) {
        kept.put(output.name(), onNode.get());
        return onNode(output, Files.size(file), onNode.get());
      }
    }
    String temporary = TemporaryName.of(output, order.label());
    boolean shared = isForReaders(output, order) && sandbox.isInside(file);
    // Taken before the file is read: later writes to it may be missing in the store.
    Facts facts = shared ? LocalFiles.facts(file) : null;
    DataStore.Stored stored = HdfsRetry.DEFAULT.through(() -> store.put(file, temporary));
    if (facts != null) {
      reusable.add(new DataStore.StoredOutput(temporary, output.path(), file, facts, stored));
    }
    return new StoredFile(
        output.name(),
        Files.size(file),
        stored.bytesByHost(),
        stored.crc32c(),
        output.kind() == FileSlot.Kind.LOCATED ? store.extents(temporary) : List.of(),
        stored.fileId());
  }

  private static boolean isForReaders(FileSlot output, TaskOrder order) {
    return switch (output.kind()) {
      case HANDED, KEPT -> true;
      // The cache of the node may have an input already.
      case FOUND -> order.inputs().stream().noneMatch(in -> in.name().equals(output.name()));
      default -> false;
    };
  }

  private StoredFile onNode(FileSlot output, long bytes, DataStore.Kept onNode) {
    return new StoredFile(
        output.name(),
        bytes,
        Map.of(store.node(), bytes),
        onNode.crc32c(),
        List.of(),
        0,
        onNode.millis());
  }

  private void removeTemporaries(TaskOrder order) {
    List<InvocationRaisingIOE> removals = new ArrayList<>();
    for (FileSlot output : order.outputs()) {
      if (!kept.containsKey(output.name())) {
        String path = TemporaryName.of(output, order.label());
        removals.add(() -> store.remove(path));
      }
    }
    removeAll(removals);
  }

  /**
   * Removes files even when the thread is interrupted, for which HDFS's client would make no calls.
   *
   * @return whether all are removed
   */
  private static boolean removeAll(List<InvocationRaisingIOE> removals) {
    boolean stopped = Thread.interrupted();
    boolean all = true;
    for (InvocationRaisingIOE removal : removals) {
      try {
        removal.apply();
      } catch (IOException e) {
        all = false;
        LOG.warn("Cannot remove an output that is not committed", e);
      }
    }
    if (stopped) {
      Thread.currentThread().interrupt();
    }
    return all;
  }
}
