package dev.weir.workflow.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one attempt. It contains the command's working directory, a directory for
 * temporary files and, if inputs are links to shared files, a directory that {@linkplain #held()
 * holds} more links to them. Nothing else belongs there, so files that a command leaves beside its
 * working directory are found and attributed to it.
 */
public final class Sandbox implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

  private final Path root;
  private final Path work;
  private final Path temp;
  private final Path held;

  /** Permissions that the directory for temporary files was created with. */
  private Set<PosixFilePermission> permissions = Set.of();

  /** Whether the directory of held links was created. */
  private volatile boolean heldCreated;

  /** Whether nothing was found beside the working directory after the command's end. */
  private boolean clean;

  private Sandbox(Path root) {
    this.root = root;
    this.work = root.resolve("work");
    this.temp = root.resolve("tmp");
    this.held = root.resolve("held");
  }

  /**
   * Creates a sandbox.
   *
   * @param parent directory of the attempts; created when it does not exist
   * @param label name of this one; an older one of the same name is removed
   */
  public static Sandbox create(Path parent, String label) throws IOException {
    Sandbox sandbox = new Sandbox(parent.resolve(label));
    try {
      sandbox.create();
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      // Handled after the failure, which is rare: checking each time would cost more than
      // creating.
      Files.createDirectories(parent);
      delete(sandbox.root);
      sandbox.create();
    }
    return sandbox;
  }

  /**
   * Turns this sandbox into a new one under another name; this one must not be used any more. A
   * process that escaped its attempt and writes to the old path finds nothing there.
   *
   * @param label name of the new one, beside this
   * @throws IOException when it cannot be reused; it is then deleted as far as possible
   */
  Sandbox renewed(String label) throws IOException {
    Sandbox next = new Sandbox(root.resolveSibling(label));
    next.permissions = permissions;
    boolean created = false;
    try {
      Files.move(root, next.root);
      Files.createDirectory(next.work);
      created = true;
      return next;
    } finally {
      if (!created) {
        next.close();
        close();
      }
    }
  }

  private void create() throws IOException {
    Files.createDirectory(root);
    Files.createDirectory(work);
    Files.createDirectory(temp);
    permissions = permissions(temp);
  }

  /** Returns the directory of the attempt, which has all its files. */
  public Path root() {
    return root;
  }

  /** The command's working directory. */
  public Path work() {
    return work;
  }

  /** The command's directory for temporary files. */
  public Path temp() {
    return temp;
  }

  /**
   * The directory of links to inputs that stay whatever the command does with its own. It is
   * created with the first link and deleted with the attempt's files.
   */
  public Path held() {
    return held;
  }

  /** Creates the directory for held links, unless it exists. Thread-safe. */
  public void makeHeld() throws IOException {
    if (!heldCreated) {
      // Without its parents: the attempt may have ended by now, and its files may be deleted.
      LocalFiles.makeDirectory(held);
      heldCreated = true;
    }
  }

  /** Returns the number of links to a file in the attempt's directory, including held ones. */
  public long linkCount(long inode) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    long count = 0;
    for (Path file : files) {
      count += LocalFiles.facts(file).inode() == inode ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns what a command left beside its working directory.
   *
   * @return names, without those that belong there
   * @throws IOException when the directory cannot be listed: the command may have removed it
   */
  public List<String> leftovers() throws IOException {
    List<String> leftovers = new ArrayList<>(0);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        boolean isHeld = heldCreated && entry.equals(held);
        if (!entry.equals(work) && !entry.equals(temp) && !isHeld) {
          leftovers.add(String.valueOf(entry.getFileName()));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    clean = leftovers.isEmpty();
    return leftovers;
  }

  /** Returns the place of a file in the sandbox. */
  public Path file(String name) {
    Path file = work.resolve(name).normalize();
    if (!file.startsWith(work) || file.equals(work)) {
      throw new IllegalArgumentException("File id '" + name + "' leads out of the sandbox");
    }
    return file;
  }

  /** Returns the place of a file that is about to be created, and creates its directory. */
  public Path fileToCreate(String name) throws IOException {
    Path file = file(name);
    Path directory = file.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    return file;
  }

  /** Returns the places of files that are about to be created, and creates their directories. */
  public Map<String, Path> filesToCreate(Collection<String> names) throws IOException {
    Map<String, Path> files = new HashMap<>();
    Set<Path> directories = new HashSet<>();
    for (String name : names) {
      Path file = file(name);
      Path directory = file.getParent();
      // Once per directory, because creating an existing one costs an exception.
      if (directory != null && directories.add(directory)) {
        Files.createDirectories(directory);
      }
      files.put(name, file);
    }
    return files;
  }

  /** Returns whether no directory on the way to a file is a symbolic link. */
  public boolean isInside(Path file) {
    for (Path at = file; at != null && !at.equals(root); at = at.getParent()) {
      if (Files.isSymbolicLink(at)) {
        return false;
      }
    }
    return true;
  }

  /** Deletes everything; files that cannot be deleted stay until the container ends. */
  @Override
  public void close() {
    for (Path directory : List.of(held, work, temp, root)) {
      try {
        delete(directory);
      } catch (IOException e) {
        LOG.warn("Cannot delete {}", directory, e);
      }
    }
  }

  /**
   * Removes the attempt's files; deletes the whole sandbox unless certainly only empty directories
   * remain.
   *
   * @param discarded takes small files
   * @return whether it can be {@linkplain #renewed renewed}
   */
  boolean empty(DiscardedFiles discarded) {
    try {
      if (heldCreated) {
        delete(held);
        heldCreated = false;
      }
      // Checked again: a process that left its command's group may have written since.
      if (clean
          && leftovers().isEmpty()
          && permissions(temp).equals(permissions)
          && isEmpty(temp)) {
        if (!discarded.add(work)) {
          delete(work);
        }
        return true;
      }
    } catch (IOException e) {
      LOG.debug("Cannot reuse {}", root, e);
    }
    close();
    return false;
  }

  /** Returns no permissions for a non-directory, which a command may have put there. */
  private static Set<PosixFilePermission> permissions(Path directory) throws IOException {
    PosixFileAttributes attributes =
        Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return attributes.isDirectory() ? attributes.permissions() : Set.of();
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Deletes a directory with its contents; a missing one is ignored. */
  public static void delete(Path root) throws IOException {
    try {
      // Tried first because most directories are empty: few commands leave temporary files.
      Files.deleteIfExists(root);
      return;
    } catch (DirectoryNotEmptyException e) {
      // Deletes the contents first.
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem)
              throws IOException {
            if (problem != null) {
              throw problem;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
