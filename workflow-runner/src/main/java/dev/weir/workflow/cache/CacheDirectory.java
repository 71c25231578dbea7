package dev.weir.workflow.cache;

import dev.weir.workflow.sandbox.LocalFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a node's cache. It respects its limit and the disk's free space, and evicts the
 * least recently used contents. A content that a sandbox links to is not evicted, because that
 * would free no space. Only the owner can read or write the directory.
 */
public final class CacheDirectory implements Closeable {

  /** The number of content locks; the next lock guards the counters. */
  static final int CONTENT_LOCKS = NodeLocks.COUNT - 1;

  /** The lock of an eviction. */
  static final int ACCOUNT_LOCK = CONTENT_LOCKS;

  private static final Logger LOG = LoggerFactory.getLogger(CacheDirectory.class);

  /** The number that holds the size of the contents. */
  private static final int TOTAL = 0;

  /** An eviction frees this fraction of the cache. */
  private static final int SLACK = 8;

  private static final String PRIVATE = "rwx------";

  private final Path contents;
  private final Path notes;
  private final Path reservations;
  private final Path parts;
  private final Path spoils;

  /** Has a second link to each content that must not be evicted. */
  private final Path pins;

  private final NodeLocks locks;
  private final CacheLimit limit;

  /** Whether a content found no room although the cache has less than it may have at most. */
  private volatile boolean hasRefused;

  private CacheDirectory(Path directory, CacheLimit limit) throws IOException {
    this.limit = limit;
    this.contents = makePrivate(directory.resolve("contents"));
    this.notes = makePrivate(directory.resolve("notes"));
    this.reservations = makePrivate(directory.resolve("reservations"));
    this.parts = makePrivate(directory.resolve("parts"));
    this.spoils = makePrivate(directory.resolve("spoiled"));
    this.pins = makePrivate(directory.resolve("pinned"));
    this.locks = new NodeLocks(directory.resolve("locks"));
  }

  /**
   * Opens or creates the directory.
   *
   * @param directory the directory, whose parent exists
   * @param limit the same for all processes
   * @throws IOException when it cannot be created, or other users can write to it
   */
  public static CacheDirectory open(Path directory, CacheLimit limit) throws IOException {
    return new CacheDirectory(makePrivate(directory), limit);
  }

  private static Path makePrivate(Path directory) throws IOException {
    try {
      return Files.createDirectory(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
    } catch (FileAlreadyExistsException e) {
      Map<String, Object> is =
          Files.readAttributes(
              directory, "unix:isDirectory,permissions,uid", LinkOption.NOFOLLOW_LINKS);
      Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      if (!Boolean.TRUE.equals(is.get("isDirectory"))
          || !PosixFilePermissions.fromString(PRIVATE).equals(is.get("permissions"))
          || !self.equals(is.get("uid"))) {
        throw new IOException(
            directory + " is no directory of this user's alone: remove it, or its rights", e);
      }
      return directory;
    }
  }

  /** Whether a file can be renamed into the directory. */
  boolean isOnSameDisk(Path file) throws IOException {
    return Files.getFileStore(file).equals(Files.getFileStore(parts));
  }

  NodeLocks locks() {
    return locks;
  }

  /** Returns the size of its contents, as counted. */
  long bytes() throws IOException {
    return locks.number(TOTAL);
  }

  Path content(CacheKey key) {
    return contents.resolve(key.digest());
  }

  /** Returns the small file whose modification time is the content's last use. */
  Path note(CacheKey key) {
    return notes.resolve(key.digest());
  }

  /** Returns the file that marks a content as altered, not to be shared. */
  Path spoiled(CacheKey key) {
    return spoils.resolve(key.digest());
  }

  /** Returns the digests of the unaltered contents. */
  Set<String> kept() throws IOException {
    Set<String> kept = names(contents);
    kept.removeAll(names(spoils));
    return kept;
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .collect(Collectors.toCollection(HashSet::new));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whether a copy or link of a content is unaltered. */
  boolean isWhole(CacheKey key, Path copy) throws IOException {
    BasicFileAttributes is =
        Files.readAttributes(copy, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return is.size() == key.length() && is.lastModifiedTime().toMillis() == key.modifiedMillis();
  }

  /**
   * Reserves room, evicting the least recently used contents. The caller holds the content's lock.
   *
   * @return a new path to be filled; empty when there is no room
   */
  Optional<Path> reserve(CacheKey key) throws IOException {
    return locks.holding(ACCOUNT_LOCK, () -> reserveAlone(key, key.length()));
  }

  /** Reserves room for a file that is on the disk already, so the disk gets no fuller. */
  Optional<Path> reserveMade(CacheKey key) throws IOException {
    return locks.holding(ACCOUNT_LOCK, () -> reserveAlone(key, 0));
  }

  private Optional<Path> reserveAlone(CacheKey key, long missing) throws IOException {
    // A leftover of a dead process: the lock excludes other writers of this content.
    Files.deleteIfExists(part(key));
    Files.deleteIfExists(reservation(key));
    long total = locks.number(TOTAL);
    long allowed = limitFor(total + key.length(), missing);
    if (key.length() <= allowed && total + key.length() > allowed) {
      total = makeRoom(Math.min(allowed - key.length(), withSlack(allowed)));
      allowed = limitFor(total + key.length(), missing);
    }
    if (total + key.length() > allowed) {
      hasRefused |= allowed < limit.mostBytes();
      locks.number(TOTAL, total);
      return Optional.empty();
    }
    Files.createFile(reservation(key));
    locks.number(TOTAL, total + key.length());
    return Optional.of(part(key));
  }

  /** Evicts more than requested, because each eviction scans all contents. */
  private static long withSlack(long limit) {
    return limit - limit / SLACK;
  }

  private long limitFor(long bytes, long missing) throws IOException {
    return limit.bytes(bytes, missing + unwritten());
  }

  /** Returns the bytes that are still to be written of contents that are being filled. */
  private long unwritten() throws IOException {
    long bytes = 0;
    for (String name : names(reservations)) {
      CacheKey key = reserved(name);
      bytes += Math.max(0, key.length() - written(key));
    }
    return bytes;
  }

  private long written(CacheKey key) throws IOException {
    try {
      return Files.size(part(key));
    } catch (NoSuchFileException e) {
      return Files.exists(content(key)) ? key.length() : 0;
    }
  }

  /**
   * A cache whose disk is full.
   *
   * @param limitBytes what it may have
   * @param excessBytes what it has beyond, which cannot be evicted
   */
  record Shortage(long limitBytes, long excessBytes) {}

  /**
   * Evicts what exceeds the limit since other files have filled the disk.
   *
   * @return empty unless the disk is so full that contents found no room since the last call, or
   *     exceed the limit and cannot be evicted
   */
  Optional<Shortage> shrink() throws IOException {
    return locks.holding(
        ACCOUNT_LOCK,
        () -> {
          long total = locks.number(TOTAL);
          long allowed = limitFor(total, 0);
          if (total > allowed) {
            total = makeRoom(withSlack(allowed));
            allowed = limitFor(total, 0);
            locks.number(TOTAL, total);
          }
          long excess = Math.max(0, total - allowed);
          boolean refused = hasRefused;
          hasRefused = false;
          return allowed < limit.mostBytes() && (excess > 0 || refused)
              ? Optional.of(new Shortage(allowed, excess))
              : Optional.empty();
        });
  }

  private Path reservation(CacheKey key) {
    return reservations.resolve(key.digest() + "-" + key.length());
  }

  /** Returns the key of a reservation. */
  private static CacheKey reserved(String name) {
    int cut = name.indexOf('-');
    return new CacheKey(name.substring(0, cut), Long.parseLong(name.substring(cut + 1)), 0);
  }

  /** Returns the path of a content while it is filled. */
  Path part(CacheKey key) {
    return parts.resolve(key.digest());
  }

  private Path pin(CacheKey key) {
    return pins.resolve(key.digest());
  }

  /**
   * Returns whether a file of this disk fits into the cache, evicting the least recently used
   * contents. Its room is not reserved.
   */
  boolean hasRoomFor(CacheKey key) throws IOException {
    boolean fits = reserveMade(key).isPresent();
    if (fits) {
      giveBack(key);
    }
    return fits;
  }

  /**
   * Publishes a filled part as a content that is not evicted until it is {@linkplain #drop
   * dropped}. The eviction spares it because of its second link.
   */
  void publishPinned(CacheKey key) throws IOException {
    Files.createLink(pin(key), part(key));
    Files.move(part(key), content(key), StandardCopyOption.ATOMIC_MOVE);
    account("The size is corrected by the next eviction", () -> less(-key.length()));
  }

  /** Publishes a filled content. */
  void publish(CacheKey key) throws IOException {
    Files.move(part(key), content(key), StandardCopyOption.ATOMIC_MOVE);
    Files.deleteIfExists(reservation(key));
  }

  /** Releases reserved room. */
  void giveBack(CacheKey key) {
    account(
        "The room for a part is found when room is needed",
        () -> {
          Files.deleteIfExists(part(key));
          if (Files.deleteIfExists(reservation(key))) {
            less(key.length());
          }
        });
  }

  /** Evicts all that can be evicted, because the disk is full. */
  void clear() {
    account("Cannot empty the cache of this node", () -> locks.number(TOTAL, makeRoom(0)));
  }

  /** Removes a content; a missing one is ignored. */
  void drop(CacheKey key) {
    account(
        "Cannot drop a content from the cache of this node",
        () -> {
          if (Files.deleteIfExists(content(key))) {
            less(key.length());
          }
          Files.deleteIfExists(pin(key));
          Files.deleteIfExists(note(key));
        });
  }

  /**
   * Moves a content to the only task that uses it, which frees its room.
   *
   * @param target on the disk of the cache
   * @throws NoSuchFileException when it was evicted
   */
  void take(CacheKey key, Path target) throws IOException {
    locks.holding(
        ACCOUNT_LOCK,
        () -> {
          Files.move(content(key), target, StandardCopyOption.ATOMIC_MOVE);
          less(key.length());
          return Files.deleteIfExists(note(key));
        });
  }

  private void less(long bytes) throws IOException {
    locks.number(TOTAL, Math.max(0, locks.number(TOTAL) - bytes));
  }

  /**
   * Changes the counters. Errors are corrected by the next eviction. Also works on interrupted
   * threads, which clean up here; the lock is never held for long.
   */
  private void account(String problem, InvocationRaisingIOE step) {
    boolean interrupted = Thread.interrupted();
    try {
      locks.holding(
          ACCOUNT_LOCK,
          () -> {
            step.apply();
            return true;
          });
    } catch (IOException e) {
      LOG.warn("{}", problem, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private record Content(Path file, long bytes, long usedMillis, boolean linked) {}

  /**
   * Evicts contents down to a size.
   *
   * @return the size, counted anew, because counters may be wrong after the death of a process
   */
  private long makeRoom(long bytes) throws IOException {
    // Counted first: a content published meanwhile is then counted twice rather than not at all.
    long filling = filling();
    List<Content> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(contents)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        look(file).ifPresent(all::add);
      }
    }
    all.sort(Comparator.comparingLong(Content::usedMillis));
    long total = filling + all.stream().mapToLong(Content::bytes).sum();
    for (Content content : all) {
      if (total > bytes && !content.linked()) {
        Files.deleteIfExists(content.file());
        Files.deleteIfExists(notes.resolve(content.file().getFileName()));
        total -= content.bytes();
      }
    }
    return total;
  }

  private Optional<Content> look(Path file) throws IOException {
    try {
      LocalFiles.Facts is = LocalFiles.facts(file);
      return Optional.of(new Content(file, is.bytes(), usedMillis(file), !is.isAlone()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private long usedMillis(Path content) throws IOException {
    try {
      return Files.getLastModifiedTime(notes.resolve(content.getFileName())).toMillis();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Returns the room of contents being filled, and removes leftovers of dead processes. */
  private long filling() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(reservations)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        CacheKey key = reserved(String.valueOf(file.getFileName()));
        if (!locks.ifFree(key.lock(), () -> removeAbandoned(key))) {
          bytes += key.length();
        }
      }
    }
    return bytes;
  }

  private boolean removeAbandoned(CacheKey key) throws IOException {
    Files.deleteIfExists(part(key));
    return Files.deleteIfExists(reservation(key));
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
