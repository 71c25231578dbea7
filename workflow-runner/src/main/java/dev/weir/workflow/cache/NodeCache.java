package dev.weir.workflow.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.DataStore.Source;
import dev.weir.workflow.transfer.DataStore.Version;
import dev.weir.workflow.transfer.FailureClassifier;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inputs that a node's workers have fetched, kept for later tasks: one content on the local
 * disk, a link in each sandbox, or a copy if it is small. A cached content always equals that of
 * the store, because the key contains path, id, length and time. Several processes may share the
 * directory. Thread-safe.
 *
 * <p>A content that does not fit, or cannot be written, bypasses the cache.
 */
public final class NodeCache implements CacheReporter.Kept, Closeable {

  /** Up to this size a copy costs hardly more than a link, and belongs to the task alone. */
  public static final long COPIED_BYTES = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(NodeCache.class);

  private final CacheDirectory space;
  private final List<CacheDirectory> otherDisks;
  private final NodeLocks locks;
  private final LocalOutputs made;
  private final NodeStore store;
  private final Clock clock;
  private final long copiedBytes;
  private final AtomicBoolean noted = new AtomicBoolean();

  /** The fetches of this process, by digest, each with whether it completed. */
  private final Map<String, CompletableFuture<Boolean>> filling = new ConcurrentHashMap<>();

  /**
   * Creates a cache.
   *
   * @param space its directory; closed with the cache
   * @param copiedBytes up to this size a sandbox gets a copy instead of a link
   */
  public NodeCache(CacheDirectory space, Clock clock, long copiedBytes) {
    this(space, List.of(), clock, copiedBytes);
  }

  /**
   * Creates the cache of a worker of a node with several disks.
   *
   * @param space the directory on the disk of its sandboxes; closed with the cache
   * @param otherDisks those of workers on other disks, whose outputs it reads and serves; closed
   *     with the cache
   * @param copiedBytes up to this size a sandbox gets a copy instead of a link
   */
  public NodeCache(
      CacheDirectory space, List<CacheDirectory> otherDisks, Clock clock, long copiedBytes) {
    this.space = space;
    this.otherDisks = List.copyOf(otherDisks);
    this.locks = space.locks();
    this.made = new LocalOutputs(space, clock);
    this.store = new NodeStore(space, otherDisks, clock);
    this.clock = clock;
    this.copiedBytes = copiedBytes;
  }

  /** Returns the outputs that tasks pass to each other. */
  LocalOutputs made() {
    return made;
  }

  /** Returns the outputs that are not in HDFS. */
  NodeStore store() {
    return store;
  }

  /** Returns the size of the cache on all disks of its workers; 0 if it cannot be read. */
  long bytes() {
    try {
      long bytes = space.bytes();
      for (CacheDirectory disk : otherDisks) {
        bytes += disk.bytes();
      }
      return bytes;
    } catch (IOException e) {
      LOG.debug("Cannot read the size of the cache", e);
      return 0;
    }
  }

  /**
   * Evicts what exceeds the limit on the disk of its sandboxes.
   *
   * @return empty unless the disk is so full that contents have no room
   */
  Optional<CacheDirectory.Shortage> shrink() throws IOException {
    return space.shrink();
  }

  /** Puts a content into a sandbox if the cache has it unaltered. */
  Optional<Fetched> linkIfKept(CacheKey key, Path target) throws IOException {
    return Files.exists(space.spoiled(key)) ? Optional.empty() : link(key, target);
  }

  /**
   * Puts a content into a sandbox.
   *
   * @param target a new file in an existing directory; becomes read-only
   * @return what was moved; bytes count as cached when an earlier fetch had read them
   * @throws IOException as {@link Source#fetch} does
   */
  Fetched bring(Source source, Version version, Path target) throws IOException {
    return bring(source, CacheKey.of(source.path(), version), target);
  }

  /** Puts the content of a key into a sandbox. */
  Fetched bring(Source source, CacheKey key, Path target) throws IOException {
    if (Files.exists(space.spoiled(key))) {
      return source.fetch(target);
    }
    Optional<Fetched> had = link(key, target);
    if (had.isPresent()) {
      return had.get();
    }
    try {
      had = locks.holding(key.lock(), () -> linkOrFill(key, source, target));
      if (had.isPresent()) {
        return had.get();
      }
    } catch (NodeLocks.NoLockException e) {
      note(e);
    }
    Files.deleteIfExists(target);
    return source.fetch(target);
  }

  /** Another process may have filled it during the wait for the lock. */
  private Optional<Fetched> linkOrFill(CacheKey key, Source source, Path target)
      throws IOException {
    Optional<Fetched> had = link(key, target);
    return had.isPresent() ? had : fill(key, source, target);
  }

  /**
   * A task has altered a content, so it is not used again.
   *
   * @return whether this is the first report about a fetched content; an output of this node may
   *     have been altered by a process that its own task left behind
   */
  boolean spoiled(CacheKey key) {
    CacheDirectory disk = store.diskOf(key);
    boolean fetched = !made.isOf(key);
    boolean first = false;
    try {
      Files.createFile(disk.spoiled(key));
      first = true;
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Another task has reported that {} was altered", key, e);
    } catch (IOException e) {
      LOG.warn("Cannot mark {} as altered", key, e);
    }
    disk.drop(key);
    return first && fetched;
  }

  @Override
  public Set<String> all() throws IOException {
    return space.kept();
  }

  @Override
  public boolean keeps(CacheKey key) {
    return Files.exists(space.content(key)) && Files.notExists(space.spoiled(key));
  }

  private Optional<Fetched> link(CacheKey key, Path target) throws IOException {
    if (Files.notExists(space.content(key))) {
      return Optional.empty();
    }
    try {
      linkOrCopy(key, space.content(key), target);
      if (space.isWhole(key, target)) {
        return Optional.of(Fetched.cached(key.length(), used(space, key)));
      }
      LOG.warn("{} was altered in the cache of this node: fetching it again", key);
      space.drop(key);
    } catch (NoSuchFileException e) {
      LOG.debug("{} was evicted just now", key, e);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      note(e);
    }
    Files.deleteIfExists(target);
    return Optional.empty();
  }

  private void linkOrCopy(CacheKey key, Path content, Path target) throws IOException {
    if (key.length() > copiedBytes) {
      try {
        Files.createLink(target, content);
        return;
      } catch (NoSuchFileException e) {
        throw e;
      } catch (UnsupportedOperationException | IOException e) {
        LOG.debug("No links here: the sandbox is on another disk, or there are too many", e);
      }
    }
    Files.copy(content, target, StandardCopyOption.COPY_ATTRIBUTES);
  }

  /** Records the use, and returns the content's checksum. */
  private long used(CacheDirectory disk, CacheKey key) throws IOException {
    Path note = disk.note(key);
    try {
      String text = Files.readString(note, UTF_8);
      Files.setLastModifiedTime(note, FileTime.fromMillis(clock.millis()));
      return CachedContentMetadata.parse(text).crc32c();
    } catch (NoSuchFileException e) {
      // Evicted just now; the link keeps the data.
      return Checksum.UNKNOWN;
    }
  }

  /** Fetches into the cache; empty when that is not possible. */
  private Optional<Fetched> fill(CacheKey key, Source source, Path target) throws IOException {
    Optional<Path> room = reserve(key);
    if (room.isEmpty()) {
      return Optional.empty();
    }
    boolean kept = false;
    CompletableFuture<Boolean> filled = new CompletableFuture<>();
    filling.put(key.digest(), filled);
    try {
      Fetched fetched = source.fetchToShare(room.get(), () -> stopGiving(key, filled));
      publish(key, room.get(), target, fetched.crc32c());
      kept = true;
      return Optional.of(fetched);
    } catch (IOException e) {
      if (!FailureClassifier.isLocalFileError(e)) {
        throw e;
      }
      note(e);
      return Optional.empty();
    } finally {
      filling.remove(key.digest(), filled);
      filled.complete(kept);
      if (!kept) {
        space.giveBack(key);
      }
    }
  }

  /** The fetch failed: other readers of its bytes are notified at once. */
  private void stopGiving(CacheKey key, CompletableFuture<Boolean> filled) {
    filling.remove(key.digest(), filled);
    filled.complete(false);
  }

  /** A content that others may read while it is cached or being fetched. */
  final class Share implements Closeable {

    private final CacheDirectory disk;
    private final CacheKey key;
    private final GrowingFile file;
    private final CRC32C crc = new CRC32C();

    /** Returns the checksum of the fetch; unknown while it is running. */
    private final long sum;

    private Share(CacheDirectory disk, CacheKey key, GrowingFile file, long sum) {
      this.disk = disk;
      this.key = key;
      this.file = file;
      this.sum = sum;
    }

    /** Reads as {@link GrowingFile#read} does. */
    int read(byte[] buffer, long patienceMillis) throws IOException {
      int length = file.read(buffer, patienceMillis);
      if (length > 0) {
        crc.update(buffer, 0, length);
      }
      return length;
    }

    /** Whether the bytes read equal those fetched; if not, the content is not used again. */
    boolean isSound() throws IOException {
      // It may have been evicted meanwhile, with its stored checksum.
      long known = Checksum.isKnown(sum) ? sum : used(disk, key);
      if (Checksum.isKnown(known) && known != Checksum.of(crc)) {
        spoiled(key);
      }
      return Checksum.isKnown(known) && known == Checksum.of(crc);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /**
   * Serves a content to another node.
   *
   * @param digest of its key
   * @param length of it in bytes
   * @return the content; empty when it is neither cached nor being fetched, or was altered
   */
  Optional<Share> share(String digest, long length) throws IOException {
    CacheKey key = new CacheKey(digest, length, 0);
    if (!digest.matches(CacheKey.DIGESTS)) {
      return Optional.empty();
    }
    CompletableFuture<Boolean> coming = filling.get(digest);
    if (coming != null) {
      return Optional.of(share(space, key, coming, Checksum.UNKNOWN));
    }
    CacheDirectory disk = store.diskOf(key);
    // Read before the first byte is sent, and marked as used, so that others are evicted first.
    long sum = used(disk, key);
    if (!Checksum.isKnown(sum) || !isWhole(disk, key)) {
      return Optional.empty();
    }
    return Optional.of(share(disk, key, CompletableFuture.completedFuture(true), sum));
  }

  private Share share(CacheDirectory disk, CacheKey key, Future<Boolean> filled, long sum)
      throws IOException {
    List<Path> names = List.of(disk.content(key), disk.part(key));
    return new Share(disk, key, new GrowingFile(names, key.length(), filled), sum);
  }

  /** Whether a disk has the content unaltered with its original length. */
  private static boolean isWhole(CacheDirectory disk, CacheKey key) throws IOException {
    try {
      return Files.notExists(disk.spoiled(key))
          && LocalFiles.facts(disk.content(key)).bytes() == key.length();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private Optional<Path> reserve(CacheKey key) throws IOException {
    try {
      return space.reserve(key);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      note(e);
      return Optional.empty();
    }
  }

  /** Links the target before the content is published: the cache may evict published contents. */
  private void publish(CacheKey key, Path filled, @Nullable Path target, long crc32c)
      throws IOException {
    Files.setLastModifiedTime(filled, FileTime.fromMillis(key.modifiedMillis()));
    Path note = space.note(key);
    Files.writeString(note, new CachedContentMetadata(crc32c, false).text(), UTF_8);
    Files.setLastModifiedTime(note, FileTime.fromMillis(clock.millis()));
    if (target != null) {
      linkOrCopy(key, filled, target);
    }
    space.publish(key);
  }

  /** The tasks' need for disk space takes precedence over the cache. */
  private void note(IOException problem) {
    if (noted.compareAndSet(false, true)) {
      LOG.warn("Cannot write to the cache of this node; fetching inputs past it", problem);
    } else {
      LOG.debug("Cannot write to the cache of this node", problem);
    }
    String reason = String.valueOf(problem.getMessage());
    if (reason.contains("No space left") || reason.contains("quota exceeded")) {
      space.clear();
    }
  }

  @Override
  public void close() throws IOException {
    for (CacheDirectory disk : otherDisks) {
      disk.close();
    }
    space.close();
  }
}
