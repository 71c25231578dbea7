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
import dev.weir.workflow.transfer.InputIntegrity.Seal;
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
 * Brings the inputs of an attempt into its sandbox: all are asked for together, and several at a
 * time are moved, in random order, so that workers with the same inputs do not all stand before the
 * same disk.
 */
public final class StageIn {

  /** How often a file may be replaced while it is read. */
  private static final int TRIES = 4;

  private final DataStore store;
  private final Transfers threads;

  /** Of all inputs together. */
  private long bytes;

  public StageIn(DataStore store, Transfers threads) {
    this.store = store;
    this.threads = threads;
  }

  /**
   * What came of it.
   *
   * @param fetched what was moved
   * @param lost ids of inputs that the store has lost
   * @param unreadable why one of these cannot be read although it is there; empty when all are gone
   * @param read the inputs that came, in the order of the task's inputs
   * @param seals tell whether the command altered them
   */
  public record Result(
      Fetched fetched,
      List<String> lost,
      String unreadable,
      List<ReadFile> read,
      InputIntegrity seals) {}

  /**
   * An input that came.
   *
   * @param seal null when the command may alter it
   */
  private record Brought(Fetched fetched, @Nullable Seal seal) {}

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
    // Those that may have to wait for their turns go last, and keep no other from a stream.
    shuffled.sort(Comparator.comparing(input -> threads.isBulky(found.get(input.path()))));
    Path program = program(order, sandbox);
    Map<String, Path> targets = sandbox.filesToCreate(inputs.stream().map(FileSlot::name).toList());
    Map<FileSlot, Future<Brought>> transfers = new HashMap<>();
    TransferBatches bunches = new TransferBatches(store, threads, inputs.size());
    boolean complete = false;
    try {
      for (FileSlot input : shuffled) {
        Path target = requireNonNull(targets.get(input.name()));
        Source source = found.get(input.path());
        Fresh fresh = new Fresh(target, target.equals(program), transfers.size(), sandbox);
        FutureTask<Brought> transfer =
            new FutureTask<>(() -> patiently(target, () -> bring(input, source, fresh)));
        transfers.put(input, transfer);
        bunches.add(source, transfer);
      }
      bunches.startRest();
      Result result = await(inputs, transfers, sandbox);
      complete = true;
      return result;
    } finally {
      if (!complete) {
        // The sandbox is about to be removed.
        transfers.values().forEach(other -> other.cancel(true));
        bunches.cancel();
      }
    }
  }

  /** How many bytes all inputs have together, as far as that is known by now. */
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

  private static Brought patiently(Path target, HdfsRetry.Work<Brought> fetch)
      throws IOException, InterruptedException {
    return HdfsRetry.DEFAULT.through(
        () -> {
          try {
            return fetch.get();
          } catch (IOException e) {
            // For the next try, if there is one.
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

  private Brought bring(FileSlot input, @Nullable Source found, Fresh fresh) throws IOException {
    Path target = fresh.file();
    if (isRegion(input)) {
      return sealed(input, fresh, null, store.fetchRegion(input, target));
    }
    Source source = found;
    for (int tries = 1; source != null; tries++) {
      try {
        Fetched fetched = source.fetch(target);
        return input.copied()
            ? copied(input, fresh, source, fetched)
            : sealed(input, fresh, source, fetched);
      } catch (ContentChangedException e) {
        if (tries == TRIES) {
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
   * @param executable whether it is the program: HDFS keeps no executable bit
   * @param number tells it from the attempt's other inputs
   * @param sandbox the attempt's
   */
  private record Fresh(Path file, boolean executable, int number, Sandbox sandbox) {

    /** Where something may be put for a moment. */
    private Path spare() {
      return sandbox.temp().resolve("input-" + number);
    }

    private void allowToRun() {
      if (executable) {
        file.toFile().setExecutable(true);
      }
    }

    /** Keeps a link to it out of the command's way. */
    private Path held() throws IOException {
      Path hold = sandbox.held().resolve("input-" + number);
      sandbox.makeHeld();
      Files.createLink(hold, file);
      return hold;
    }
  }

  private static Brought sealed(
      FileSlot input, Fresh fresh, @Nullable Source source, Fetched fetched) throws IOException {
    fresh.allowToRun();
    Facts facts = LocalFiles.facts(fresh.file());
    if (source != null && isAltered(facts, source, fetched)) {
      throw new ContentChangedException(input.path(), null);
    }
    // Last: what is brought again, as another content that may be no link, must not be held.
    Path hold = facts.isAlone() ? null : fresh.held();
    return new Brought(
        fetched, new Seal(input.name(), fresh.file(), hold, facts, source, fetched.crc32c()));
  }

  /**
   * Makes an input the command's own. A link to what the cache has is replaced before anything is
   * done to it, and by nothing that another task has altered.
   */
  private static Brought copied(FileSlot input, Fresh fresh, Source source, Fetched fetched)
      throws IOException {
    Path file = fresh.file();
    Facts before = LocalFiles.facts(file);
    try {
      if (!before.isAlone()) {
        LocalFiles.copy(file, fresh.spare());
      }
      Facts after = LocalFiles.facts(file);
      if (isAltered(after, source, fetched) || after.isWrittenSince(before)) {
        throw new ContentChangedException(input.path(), null);
      }
      if (!before.isAlone()) {
        Files.move(fresh.spare(), file, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      // It is in its place by now, or of no use.
      Files.deleteIfExists(fresh.spare());
    }
    file.toFile().setWritable(true);
    fresh.allowToRun();
    return new Brought(fetched, null);
  }

  /**
   * Whether another task has written to a content of the cache since it was taken from there. That
   * one has the time that the file has in HDFS; what was read just now has its own.
   */
  private static boolean isAltered(Facts facts, Source source, Fetched fetched) {
    boolean ofTheCache = fetched.cachedBytes() > 0 || !facts.isAlone();
    return ofTheCache
        && source
            .version()
            .map(
                version ->
                    facts.bytes() != version.length()
                        || facts.modified().toMillis() != version.modifiedMillis())
            .orElse(false);
  }

  /** The program, if it may be one of the inputs. */
  private static @Nullable Path program(TaskOrder order, Sandbox sandbox) {
    if (order.standIn() || !order.command().get(0).contains("/")) {
      return null;
    }
    return sandbox.work().resolve(order.command().get(0)).normalize();
  }

  private static Result await(
      List<FileSlot> inputs, Map<FileSlot, Future<Brought>> transfers, Sandbox sandbox)
      throws IOException, InterruptedException {
    Fetched sum = Fetched.NOTHING;
    List<String> lost = new ArrayList<>();
    String unreadable = "";
    List<ReadFile> read = new ArrayList<>(inputs.size());
    List<Seal> seals = new ArrayList<>(inputs.size());
    for (FileSlot input : inputs) {
      try {
        Brought brought = await(requireNonNull(transfers.get(input)));
        Fetched file = brought.fetched();
        sum = sum.plus(file);
        Seal seal = brought.seal();
        if (seal != null) {
          seals.add(seal);
        }
        read.add(new ReadFile(input.name(), file.bytes(), file.crc32c()));
      } catch (InputLostException e) {
        lost.add(input.file());
        unreadable = e.isGone() ? unreadable : unreadable(input.path(), e);
      } catch (IOException e) {
        throw new IOException("cannot read the input " + input.path() + ": " + e.getMessage(), e);
      }
    }
    InputIntegrity sealed = new InputIntegrity(seals, sandbox);
    return new Result(sum, lost.stream().distinct().toList(), unreadable, read, sealed);
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
