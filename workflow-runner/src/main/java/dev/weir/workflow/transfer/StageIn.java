package dev.weir.workflow.transfer;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.hdfs.HdfsRetry;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.text.ErrorMessages;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DataStore.Version;
import dev.weir.workflow.transfer.InputIntegrity.InputState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Brings the inputs of an attempt into its sandbox. It looks all up together and moves several at a
 * time, in random order, so that workers with the same inputs do not all read the same disk first.
 */
public final class StageIn {

  /** How often a file may be replaced while it is read. */
  private static final int MAX_TRIES = 4;

  private final DataStore store;
  private final Transfers threads;

  /** Total size of all inputs. */
  private long bytes;

  public StageIn(DataStore store, Transfers threads) {
    this.store = store;
    this.threads = threads;
  }

  /**
   * The result of the stage-in.
   *
   * @param fetched what was moved
   * @param lost ids of inputs that the store has lost
   * @param unreadable why one of the lost inputs, which exists, cannot be read; empty when all are
   *     missing
   * @param read the fetched inputs, in the order of the task's inputs
   * @param integrity detects whether the command altered them
   */
  public record Result(
      Fetched fetched,
      List<String> lost,
      String unreadable,
      List<ReadFile> read,
      InputIntegrity integrity) {}

  /**
   * A fetched input.
   *
   * @param state null when the command may alter the input
   */
  private record FetchedInput(Fetched fetched, @Nullable InputState state) {}

  /**
   * Fetches all inputs.
   *
   * @throws IOException when one cannot be fetched for another reason than being lost
   */
  public Result run(TaskOrder order, Sandbox sandbox) throws IOException, InterruptedException {
    List<FileSlot> inputs = order.inputs();
    Map<String, Source> found = find(inputs.stream().filter(input -> !isRegion(input)).toList());
    inputs.forEach(input -> bytes += bytes(input, found.get(input.path())));
    List<FileSlot> shuffled = new ArrayList<>(inputs);
    Collections.shuffle(shuffled, new Random(order.label().hashCode()));
    // Inputs that may have to wait for a permit go last, so that they occupy no thread that
    // another could use.
    shuffled.sort(Comparator.comparing(input -> threads.isBulky(found.get(input.path()))));
    Path program = program(order, sandbox);
    Map<String, Path> targets = sandbox.filesToCreate(inputs.stream().map(FileSlot::name).toList());
    Map<FileSlot, Future<FetchedInput>> transfers = new HashMap<>();
    TransferBatches batches = new TransferBatches(store, threads, inputs.size());
    boolean complete = false;
    try {
      for (FileSlot input : shuffled) {
        Path target = requireNonNull(targets.get(input.name()));
        Source source = found.get(input.path());
        Target fresh = new Target(target, target.equals(program), transfers.size(), sandbox);
        FutureTask<FetchedInput> transfer =
            new FutureTask<>(() -> withRetries(target, () -> fetch(input, source, fresh)));
        transfers.put(input, transfer);
        batches.add(source, transfer);
      }
      batches.startRest();
      Result result = await(inputs, transfers, sandbox);
      complete = true;
      return result;
    } finally {
      if (!complete) {
        // The sandbox is about to be removed.
        transfers.values().forEach(other -> other.cancel(true));
        batches.cancel();
      }
    }
  }

  /** Returns the total size of all inputs, as far as it is known yet. */
  public long bytes() {
    return bytes;
  }

  private static long bytes(FileSlot input, @Nullable Source source) {
    if (isRegion(input)) {
      return input.sizeBytes();
    }
    return source == null ? 0 : source.version().map(Version::length).orElse(0L);
  }

  private static boolean isRegion(FileSlot input) {
    return input.kind() == FileSlot.Kind.REGION;
  }

  private static FetchedInput withRetries(Path target, HdfsRetry.Work<FetchedInput> fetch)
      throws IOException, InterruptedException {
    return HdfsRetry.DEFAULT.through(
        () -> {
          try {
            return fetch.get();
          } catch (IOException e) {
            // The next try needs a target that does not exist.
            Files.deleteIfExists(target);
            throw e;
          }
        });
  }

  private Map<String, Source> find(List<FileSlot> inputs) throws IOException, InterruptedException {
    if (inputs.isEmpty()) {
      return Map.of();
    }
    try {
      return HdfsRetry.DEFAULT.through(() -> store.find(inputs));
    } catch (IOException e) {
      throw new IOException(
          "cannot look up the input "
              + inputs.get(0).path()
              + (inputs.size() == 1 ? "" : " and " + (inputs.size() - 1) + " others")
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private FetchedInput fetch(FileSlot input, @Nullable Source found, Target fresh)
      throws IOException {
    Path target = fresh.file();
    if (isRegion(input)) {
      return protect(input, fresh, null, store.fetchRegion(input, target));
    }
    Source source = found;
    for (int tries = 1; source != null; tries++) {
      try {
        Fetched fetched = source.fetch(target);
        return input.copied()
            ? makePrivate(input, fresh, source, fetched)
            : protect(input, fresh, source, fetched);
      } catch (ContentChangedException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
        Files.deleteIfExists(target);
        source = store.find(List.of(input)).get(input.path());
      }
    }
    throw new InputLostException(input.path(), new FileNotFoundException("no such file"));
  }

  /**
   * The place of an input.
   *
   * @param executable whether it is the program: HDFS has no executable bit
   * @param number distinguishes it from the attempt's other inputs
   * @param sandbox the attempt's
   */
  private record Target(Path file, boolean executable, int number, Sandbox sandbox) {

    /** Returns a temporary place. */
    private Path temporary() {
      return sandbox.temp().resolve("input-" + number);
    }

    private void makeExecutable() {
      if (executable) {
        file.toFile().setExecutable(true);
      }
    }

    /** Links the file in a directory that the command does not use. */
    private Path linkHeld() throws IOException {
      Path hold = sandbox.held().resolve("input-" + number);
      sandbox.makeHeld();
      Files.createLink(hold, file);
      return hold;
    }
  }

  private static FetchedInput protect(
      FileSlot input, Target fresh, @Nullable Source source, Fetched fetched) throws IOException {
    fresh.makeExecutable();
    Facts facts = LocalFiles.facts(fresh.file());
    if (source != null && isAltered(facts, source, fetched)) {
      throw new ContentChangedException(input.path(), null);
    }
    // Linked last: a refetched input may have another content that needs no link.
    Path hold = facts.isAlone() ? null : fresh.linkHeld();
    return new FetchedInput(
        fetched, new InputState(input.name(), fresh.file(), hold, facts, source, fetched.crc32c()));
  }

  /**
   * Makes an input the command's own. A link to a cached file is replaced by a copy before it is
   * made writable, unless another task has altered that file.
   */
  private static FetchedInput makePrivate(
      FileSlot input, Target fresh, Source source, Fetched fetched) throws IOException {
    Path file = fresh.file();
    Facts before = LocalFiles.facts(file);
    try {
      if (!before.isAlone()) {
        LocalFiles.copy(file, fresh.temporary());
      }
      Facts after = LocalFiles.facts(file);
      if (isAltered(after, source, fetched) || after.isWrittenSince(before)) {
        throw new ContentChangedException(input.path(), null);
      }
      if (!before.isAlone()) {
        Files.move(fresh.temporary(), file, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      // Moved to its place by now, or useless.
      Files.deleteIfExists(fresh.temporary());
    }
    file.toFile().setWritable(true);
    fresh.makeExecutable();
    return new FetchedInput(fetched, null);
  }

  /**
   * Returns whether another task has written to a cached file after it was fetched. A cached file
   * has the modification time of the file in HDFS; a newly read file has its own.
   */
  private static boolean isAltered(Facts facts, Source source, Fetched fetched) {
    boolean cached = fetched.cachedBytes() > 0 || !facts.isAlone();
    return cached
        && source
            .version()
            .map(
                version ->
                    facts.bytes() != version.length()
                        || facts.modified().toMillis() != version.modifiedMillis())
            .orElse(false);
  }

  /** Returns the program's path if it may be one of the inputs; null otherwise. */
  private static @Nullable Path program(TaskOrder order, Sandbox sandbox) {
    if (order.standIn() || !order.command().get(0).contains("/")) {
      return null;
    }
    return sandbox.work().resolve(order.command().get(0)).normalize();
  }

  private static Result await(
      List<FileSlot> inputs, Map<FileSlot, Future<FetchedInput>> transfers, Sandbox sandbox)
      throws IOException, InterruptedException {
    Fetched sum = Fetched.NOTHING;
    List<String> lost = new ArrayList<>();
    String unreadable = "";
    List<ReadFile> read = new ArrayList<>(inputs.size());
    List<InputState> states = new ArrayList<>(inputs.size());
    for (FileSlot input : inputs) {
      try {
        FetchedInput fetched = await(requireNonNull(transfers.get(input)));
        Fetched file = fetched.fetched();
        sum = sum.plus(file);
        InputState state = fetched.state();
        if (state != null) {
          states.add(state);
        }
        read.add(
            new ReadFile(
                input.name(), file.bytes(), file.crc32c(), file.fromNodes(), file.fromCaches()));
      } catch (InputLostException e) {
        lost.add(input.file());
        unreadable = e.isGone() ? unreadable : unreadable(input.path(), e);
      } catch (IOException e) {
        throw new IOException("cannot read the input " + input.path() + ": " + e.getMessage(), e);
      }
    }
    InputIntegrity protect = new InputIntegrity(states, sandbox);
    return new Result(sum, lost.stream().distinct().toList(), unreadable, read, protect);
  }

  private static String unreadable(String path, InputLostException problem) {
    return ErrorMessages.firstLine(problem)
        + ": see 'hdfs fsck "
        + path
        + " -files -blocks -locations', and whether its DataNodes are there";
  }

  static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException problem) {
        throw problem;
      }
      throw new IOException(e.getCause() == null ? e : e.getCause());
    }
  }
}
