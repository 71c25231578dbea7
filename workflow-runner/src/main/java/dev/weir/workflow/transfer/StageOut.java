package dev.weir.workflow.transfer;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.CommitMark;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TemporaryName;
import dev.weir.workflow.record.BlockExtent;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.sandbox.Sandbox;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the declared outputs of an attempt out of its sandbox: all under temporary names first,
 * then each renamed to its own, so that nobody ever sees half a file. Of several outputs the last
 * bears word of all while they are renamed, for this worker may die meanwhile.
 */
public final class StageOut {

  private static final Logger LOG = LoggerFactory.getLogger(StageOut.class);

  private final DataStore store;
  private final ExecutorService pool;

  private final CommitPermit permit;
  private final OutputIncastControl lanes;

  /** What tasks to come may read where it is. */
  private final Queue<DataStore.Made> made = new ConcurrentLinkedQueue<>();

  /** What is done for them when the outputs have their names. */
  private Runnable handing = () -> {};

  /**
   * A stage-out of one attempt.
   *
   * @param permit asked when all outputs are stored under their temporary names
   * @param lanes when one of several outputs that go to the same node may
   */
  public StageOut(
      DataStore store, ExecutorService pool, CommitPermit permit, OutputIncastControl lanes) {
    this.store = store;
    this.pool = pool;
    this.permit = permit;
    this.lanes = lanes;
  }

  /** A declared output that the command did not make. */
  static final class OutputMissingException extends IOException {

    private static final long serialVersionUID = 1L;

    OutputMissingException(String message) {
      super(message);
    }
  }

  /**
   * Stores and commits, and hands to tasks of this node what they will read.
   *
   * @param begun what was begun to be stored while the command ran
   * @param seals of the inputs, some of which may have become outputs
   * @throws OutputMissingException when the command made no such file
   * @throws IOException when an output cannot be stored; nothing temporary stays behind as far as
   *     the store answers
   */
  public List<StoredFile> run(TaskOrder order, Sandbox sandbox, Begun begun, InputIntegrity seals)
      throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    for (FileSlot output : order.outputs()) {
      Path file = sandbox.file(output.name());
      requireMade(output, file);
      files.add(file);
    }
    List<StoredFile> stored =
        commit(
            order,
            () -> {
              List<StoredFile> all = storeAll(order, sandbox, begun);
              seals.requireWhole(files);
              return all;
            });
    handing.run();
    return stored;
  }

  /** Outputs that were begun to be stored before. */
  public interface Begun {

    /**
     * Stores the rest of an output.
     *
     * @return what was stored; empty when the output is to be stored from its beginning
     */
    Optional<DataStore.Stored> finish(FileSlot output) throws IOException;
  }

  /** What puts the outputs under their temporary names. */
  interface Storing {
    List<StoredFile> store() throws IOException, InterruptedException;
  }

  /**
   * Commits what was stored; when that fails nothing temporary stays behind as far as the store
   * answers.
   */
  List<StoredFile> commit(TaskOrder order, Storing storing)
      throws IOException, InterruptedException {
    List<StoredFile> stored;
    boolean ready = false;
    try {
      stored = storing.store();
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
   * Commits a file that was joined of others, which are gone: whatever fails, it stays.
   *
   * @param joined where it is
   * @param bytes how long it is
   */
  void commitJoined(TaskOrder order, String joined, long bytes)
      throws IOException, InterruptedException {
    requirePermit(order);
    String path = order.outputs().get(0).path();
    try {
      commitThrough(joined, path);
    } catch (FileNotFoundException e) {
      // By a call of which nobody has said whether it was heard.
      if (!isThere(path, bytes)) {
        throw e;
      }
      LOG.debug("{} was renamed before", joined, e);
    }
  }

  private boolean isThere(String path, long bytes) throws IOException {
    try {
      return store.extents(path).stream().mapToLong(BlockExtent::length).sum() == bytes;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private void requirePermit(TaskOrder order) throws InterruptedException {
    permit.await();
    if (Thread.interrupted()) {
      // The task may be another worker's by now, and its files newer than these.
      throw new InterruptedException("told to stop before the commit of " + order.task());
    }
  }

  /**
   * All or none: who is told to stop in the midst of it goes on, for that is a matter of
   * milliseconds, and where one cannot be renamed the others are taken back.
   */
  private void commitAll(TaskOrder order, List<StoredFile> stored)
      throws IOException, InterruptedException {
    int renamed = 0;
    try {
      for (FileSlot output : order.outputs()) {
        commitThrough(TemporaryName.of(output, order.label()), output.path());
        renamed++;
      }
    } finally {
      if (renamed < stored.size()) {
        takeBack(order, stored, renamed);
      }
    }
  }

  /** A file whose number nobody knows could not be told from another of its name. */
  private void mark(TaskOrder order, List<StoredFile> stored)
      throws IOException, InterruptedException {
    int last = stored.size() - 1;
    List<Long> numbers = stored.stream().map(StoredFile::fileId).toList();
    if (last > 0 && !numbers.contains(0L)) {
      String path = TemporaryName.of(order.outputs().get(last), order.label());
      CommitMark mark = new CommitMark(numbers);
      HdfsRetry.DEFAULT.run(() -> store.mark(path, mark));
    }
  }

  /**
   * By their numbers where these are known, for under their names there may be what another attempt
   * has committed meanwhile, and a rename that has failed may have been carried out.
   */
  private void takeBack(TaskOrder order, List<StoredFile> stored, int renamed) {
    List<HdfsRetry.Action> removals = new ArrayList<>();
    for (int i = 0; i < stored.size(); i++) {
      long number = stored.get(i).fileId();
      FileSlot output = order.outputs().get(i);
      String path = i < renamed ? output.path() : TemporaryName.of(output, order.label());
      removals.add(number == 0 ? () -> store.remove(path) : () -> store.remove(number));
    }
    int last = removals.size() - 1;
    // Its mark tells others what is left.
    if (removeAll(removals.subList(0, last))) {
      removeAll(removals.subList(last, last + 1));
    }
  }

  private void commitThrough(String from, String to) throws IOException, InterruptedException {
    try {
      commit(from, to);
    } catch (IOException e) {
      if (!Thread.interrupted()) {
        throw e;
      }
      LOG.info("Told to stop while {} was committed; going on", to, e);
      commitUnlessDone(from, to);
    }
  }

  /** After a call of which nobody has said whether it was heard. */
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

  private static void requireMade(FileSlot output, Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new OutputMissingException(
          "output '"
              + output.name()
              + "' is a directory: declare the files in it, or have the command pack them");
    }
    if (!Files.isRegularFile(file)) {
      throw new OutputMissingException(
          "output missing: '"
              + output.name()
              + "' was not made although the command exited with 0: correct the command or the"
              + " task's outputs");
    }
    if (output.kind() == FileSlot.Kind.REGION && Files.size(file) != output.sizeBytes()) {
      throw new OutputMissingException(
          "output '"
              + output.name()
              + "' has "
              + Files.size(file)
              + " bytes: a region has as many as its name says, or what follows it would be at the"
              + " wrong place");
    }
  }

  private List<StoredFile> storeAll(TaskOrder order, Sandbox sandbox, Begun begun)
      throws IOException, InterruptedException {
    TransferGroup group = new TransferGroup(pool);
    List<Future<StoredFile>> transfers = new ArrayList<>();
    for (FileSlot output : order.outputs()) {
      transfers.add(group.begin(() -> store(output, order, sandbox, begun)));
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
    handing = store.handingOn(List.copyOf(made));
    return stored;
  }

  private StoredFile store(FileSlot output, TaskOrder order, Sandbox sandbox, Begun begun)
      throws IOException, InterruptedException {
    Path file = sandbox.file(output.name());
    String temporary = TemporaryName.of(output, order.label());
    boolean handed = output.kind() == FileSlot.Kind.HANDED && sandbox.isInside(file);
    // Before it is read: what is written to it from now on may not be in the store.
    Facts facts = handed ? LocalFiles.facts(file) : null;
    DataStore.Stored stored = begun.finish(output).orElse(null);
    if (stored == null) {
      stored = put(output, file, temporary);
    }
    if (facts != null) {
      made.add(new DataStore.Made(temporary, output.path(), file, facts, stored));
    }
    return new StoredFile(
        output.name(),
        Files.size(file),
        stored.bytesByHost(),
        stored.crc32c(),
        output.kind() == FileSlot.Kind.LOCATED ? store.extents(temporary) : List.of(),
        stored.fileId());
  }

  private DataStore.Stored put(FileSlot output, Path file, String temporary)
      throws IOException, InterruptedException {
    return lanes.store(
        output.lane(),
        Files.size(file),
        () -> HdfsRetry.DEFAULT.through(() -> store.put(file, temporary)));
  }

  private void removeTemporaries(TaskOrder order) {
    List<HdfsRetry.Action> removals = new ArrayList<>();
    for (FileSlot output : order.outputs()) {
      String path = TemporaryName.of(output, order.label());
      removals.add(() -> store.remove(path));
    }
    removeAll(removals);
  }

  /**
   * Also of somebody who is told to stop, whose calls HDFS's client would not make.
   *
   * @return whether all are removed
   */
  private static boolean removeAll(List<HdfsRetry.Action> removals) {
    boolean stopped = Thread.interrupted();
    boolean all = true;
    for (HdfsRetry.Action removal : removals) {
      try {
        removal.run();
      } catch (IOException e) {
        all = false;
        LOG.warn("An output that is not committed cannot be removed", e);
      }
    }
    if (stopped) {
      Thread.currentThread().interrupt();
    }
    return all;
  }
}
