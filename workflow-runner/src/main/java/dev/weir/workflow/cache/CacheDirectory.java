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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a node's cache: never more bytes than its limit, nor what the disk has to keep
 * free; the contents that were used longest ago go first. A content that a sandbox links to is not
 * dropped, for that would free nothing. Belongs to one user; others can neither read nor write in
 * it.
 */
public final class CacheDirectory implements Closeable {

  /** How many locks are for contents; the one after them is for the numbers. */
  static final int CONTENT_LOCKS = NodeLocks.COUNT - 1;

  /** Whoever makes room has it. */
  static final int ACCOUNT_LOCK = CONTENT_LOCKS;

  private static final Logger LOG = LoggerFactory.getLogger(CacheDirectory.class);
  private static final int TOTAL = 0;
  private static final int LIMIT = 1;

  /** A full cache is emptied by one part in so many. */
  private static final int SLACK = 8;

  /** One part in so many is not for what might be read. */
  private static final int SPARED = 4;

  private static final String PRIVATE = "rwx------";

  private final Path contents;
  private final Path notes;
  private final Path reservations;
  private final Path parts;
  private final Path spoils;
  private final NodeLocks locks;
  private final CacheLimit room;
  private final long limit;

  private CacheDirectory(Path directory, CacheLimit room) throws IOException {
    this.room = room;
    this.contents = makePrivate(directory.resolve("contents"));
    this.notes = makePrivate(directory.resolve("notes"));
    this.reservations = makePrivate(directory.resolve("reservations"));
    this.parts = makePrivate(directory.resolve("parts"));
    this.spoils = makePrivate(directory.resolve("spoiled"));
    this.locks = new NodeLocks(directory.resolve("locks"));
    this.limit = agree(room.limitBytes());
  }

  /**
   * Opens the directory, making it when it is not there.
   *
   * @param directory its parent exists
   * @param room how much it may hold; whoever comes first with more than none decides for all
   * @throws IOException when it cannot be made, or others can write to it
   */
  public static CacheDirectory open(Path directory, CacheLimit room) throws IOException {
    return new CacheDirectory(makePrivate(directory), room);
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

  private long agree(long limitBytes) throws IOException {
    return locks.holding(
        ACCOUNT_LOCK,
        () -> {
          long agreed = locks.number(LIMIT);
          if (agreed == 0) {
            locks.number(LIMIT, limitBytes);
            return limitBytes;
          }
          return agreed;
        });
  }

  NodeLocks locks() {
    return locks;
  }

  /** Where a content is when the cache has it. */
  Path content(CacheKey key) {
    return contents.resolve(key.digest());
  }

  /** A small file whose time is that of the content's last use. */
  Path note(CacheKey key) {
    return notes.resolve(key.digest());
  }

  /** A file that is there when a content must not be shared any more. */
  Path spoiled(CacheKey key) {
    return spoils.resolve(key.digest());
  }

  /** Digests of the contents that it has and that are not altered. */
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

  /** Whether a copy of a content, or a link to it, is as it was written. */
  boolean isWhole(CacheKey key, Path copy) throws IOException {
    BasicFileAttributes is =
        Files.readAttributes(copy, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return is.size() == key.length() && is.lastModifiedTime().toMillis() == key.modifiedMillis();
  }

  /**
   * Makes room, dropping what has not been used for longest. The caller holds the content's lock.
   *
   * @return a file that does not exist, to be filled; empty when there is no room to be had
   */
  Optional<Path> reserve(CacheKey key) throws IOException {
    if (key.length() > limit) {
      return Optional.empty();
    }
    return locks.holding(ACCOUNT_LOCK, () -> reserveAlone(key, key.length()));
  }

  /** The same for what is on the disk already, which gets no fuller by it. */
  Optional<Path> reserveMade(CacheKey key) throws IOException {
    if (key.length() > limit) {
      return Optional.empty();
    }
    return locks.holding(ACCOUNT_LOCK, () -> reserveAlone(key, 0));
  }

  /**
   * Takes room that is free: drops nothing, and leaves a quarter of the cache for what tasks fetch.
   * The caller holds the content's lock.
   *
   * @return a file that does not exist, to be filled; empty when there is no room to spare
   */
  Optional<Path> reserveSpare(CacheKey key) throws IOException {
    return locks.holding(
        ACCOUNT_LOCK,
        () -> {
          long spare = limit - limit / SPARED - locks.number(TOTAL);
          return key.length() > spare || room.lacking(key.length()) > 0
              ? Optional.empty()
              : reserveAlone(key, key.length());
        });
  }

  private Optional<Path> reserveAlone(CacheKey key, long coming) throws IOException {
    // What is there was left by a process that died: nobody else fills this content now.
    Files.deleteIfExists(part(key));
    Files.deleteIfExists(reservation(key));
    long total = locks.number(TOTAL);
    long lacking = room.lacking(coming);
    if (lacking > 0 || total + key.length() > limit) {
      // Some more than is asked for: each time all contents are looked at.
      long most = Math.min(limit - key.length(), limit - limit / SLACK);
      total = makeRoom(lacking > 0 ? Math.min(most, total - lacking) : most);
      lacking = room.lacking(coming);
    }
    if (lacking > 0 || total + key.length() > limit) {
      locks.number(TOTAL, total);
      return Optional.empty();
    }
    Files.createFile(reservation(key));
    locks.number(TOTAL, total + key.length());
    return Optional.of(part(key));
  }

  private Path reservation(CacheKey key) {
    return reservations.resolve(key.digest() + "-" + key.length());
  }

  /** Where a content is on its way into the cache. */
  Path part(CacheKey key) {
    return parts.resolve(key.digest());
  }

  /** What was filled is found from now on. */
  void publish(CacheKey key) throws IOException {
    Files.move(part(key), content(key), StandardCopyOption.ATOMIC_MOVE);
    Files.deleteIfExists(reservation(key));
  }

  /** Room that was reserved and is not needed. */
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

  /** Drops whatever can be dropped: the disk is full. */
  void clear() {
    account("Cannot empty the cache of this node", () -> locks.number(TOTAL, makeRoom(0)));
  }

  /** Drops a content; one that is not there is no error. */
  void drop(CacheKey key) {
    account(
        "Cannot drop a content from the cache of this node",
        () -> {
          if (Files.deleteIfExists(content(key))) {
            less(key.length());
          }
          Files.deleteIfExists(note(key));
        });
  }

  /**
   * Moves a content to where a task has it alone; its room is free then.
   *
   * @param target on the disk of the cache
   * @throws NoSuchFileException when it is not there any more
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

  private interface Step {
    void take() throws IOException;
  }

  /**
   * Numbers that come to be wrong by this are set right when room is needed. Done by threads that
   * are told to stop, too: they are here to clear up, and wait for nobody who takes long.
   */
  private void account(String problem, Step step) {
    boolean interrupted = Thread.interrupted();
    try {
      locks.holding(
          ACCOUNT_LOCK,
          () -> {
            step.take();
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
   * Drops contents until so much is left.
   *
   * @return how much is left, counted anew: numbers may be wrong after a process has died
   */
  private long makeRoom(long bytes) throws IOException {
    // First: what is published meanwhile is counted twice then; the other way round it would not
    // be.
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

  /** The room of what is being filled; what the dead have left is removed. */
  private long filling() throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(reservations)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = String.valueOf(file.getFileName());
        int cut = name.indexOf('-');
        CacheKey key =
            new CacheKey(name.substring(0, cut), Long.parseLong(name.substring(cut + 1)), 0);
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
