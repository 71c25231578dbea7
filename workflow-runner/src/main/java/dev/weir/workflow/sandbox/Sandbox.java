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
 * The directory of one attempt: in it the sandbox that is the command's working directory, and
 * beside that, out of its way, a directory for temporary files and, where inputs are links to files
 * that others read, too, one that {@linkplain #held() holds} these. Nothing else belongs there, so
 * what a command leaves beside its working directory is seen, and whose it is.
 */
public final class Sandbox implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sandbox.class);

  private final Path root;
  private final Path work;
  private final Path temp;
  private final Path held;

  /** Of the directory for temporary files, when it was made. */
  private Set<PosixFilePermission> rights = Set.of();

  /** Whether links to inputs are, or were, held. */
  private volatile boolean holding;

  /** Whether nothing was found beside the working directory after the command's end. */
  private boolean tidy;

  private Sandbox(Path root) {
    this.root = root;
    this.work = root.resolve("work");
    this.temp = root.resolve("tmp");
    this.held = root.resolve("held");
  }

  /**
   * Makes one.
   *
   * @param parent where attempts live; made when it does not exist
   * @param label name of this one; an older one of the same name is removed
   */
  public static Sandbox create(Path parent, String label) throws IOException {
    Sandbox sandbox = new Sandbox(parent.resolve(label));
    try {
      sandbox.make();
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      // Rare: asking each time what is there would cost more than making it.
      Files.createDirectories(parent);
      delete(sandbox.root);
      sandbox.make();
    }
    return sandbox;
  }

  /**
   * Makes one of what this has left, which is not to be used any more. It has another name: a
   * process that has left its attempt and writes to a path it was told finds nothing there.
   *
   * @param label name of the new one, beside this
   * @throws IOException when it cannot be used again; nothing is left of it as far as possible
   */
  Sandbox renewed(String label) throws IOException {
    Sandbox next = new Sandbox(root.resolveSibling(label));
    next.rights = rights;
    boolean made = false;
    try {
      Files.move(root, next.root);
      Files.createDirectory(next.work);
      made = true;
      return next;
    } finally {
      if (!made) {
        next.close();
        close();
      }
    }
  }

  private void make() throws IOException {
    Files.createDirectory(root);
    Files.createDirectory(work);
    Files.createDirectory(temp);
    rights = rights(temp);
  }

  /** The command's working directory. */
  public Path work() {
    return work;
  }

  /** Where the command may put what nobody needs. */
  public Path temp() {
    return temp;
  }

  /**
   * Where links to inputs are that stay whatever the command does with its own; gone with the
   * attempt's files, and made with the first.
   */
  public Path held() {
    return held;
  }

  /** Makes the directory for links to inputs, unless it is there. Thread-safe. */
  public void makeHeld() throws IOException {
    if (!holding) {
      // Not its parents, too: the attempt may be over by now, and its files be gone.
      LocalFiles.makeDirectory(held);
      holding = true;
    }
  }

  /**
   * How many names a file has in the attempt's directory, those that are held among them.
   *
   * @param inode which file it is
   * @throws IOException when the directory cannot be looked through
   */
  public long names(long inode) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    long names = 0;
    for (Path file : files) {
      names += LocalFiles.facts(file).inode() == inode ? 1 : 0;
    }
    return names;
  }

  /**
   * What a command left beside its working directory.
   *
   * @return names, without those that belong there
   * @throws IOException when the directory cannot be listed: the command may have removed it
   */
  public List<String> strays() throws IOException {
    List<String> strays = new ArrayList<>(0);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
      for (Path entry : entries) {
        boolean holds = holding && entry.equals(held);
        if (!entry.equals(work) && !entry.equals(temp) && !holds) {
          strays.add(String.valueOf(entry.getFileName()));
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    tidy = strays.isEmpty();
    return strays;
  }

  /** The place of a file in the sandbox. */
  public Path file(String name) {
    Path file = work.resolve(name).normalize();
    if (!file.startsWith(work) || file.equals(work)) {
      throw new IllegalArgumentException("File id '" + name + "' leads out of the sandbox");
    }
    return file;
  }

  /** The place of a file that is about to be made; its directory exists afterwards. */
  public Path fileToCreate(String name) throws IOException {
    Path file = file(name);
    Path directory = file.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    return file;
  }

  /**
   * The places of files that are about to be made; their directories exist afterwards.
   *
   * @return by the files' names
   */
  public Map<String, Path> filesToCreate(Collection<String> names) throws IOException {
    Map<String, Path> files = new HashMap<>();
    Set<Path> directories = new HashSet<>();
    for (String name : names) {
      Path file = file(name);
      Path directory = file.getParent();
      // To be told that it is there is an exception each time.
      if (directory != null && directories.add(directory)) {
        Files.createDirectories(directory);
      }
      files.put(name, file);
    }
    return files;
  }

  /** Whether a file is where its name says: none of its directories is a link to elsewhere. */
  public boolean isInside(Path file) {
    for (Path at = file; at != null && !at.equals(root); at = at.getParent()) {
      if (Files.isSymbolicLink(at)) {
        return false;
      }
    }
    return true;
  }

  /** Deletes everything; what cannot be deleted is left to the end of the container. */
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
   * Rids it of what its attempt has left, and deletes all of it unless it is certain that only
   * empty directories stay.
   *
   * @param leavings takes what is small
   * @return whether it can be {@linkplain #renewed renewed}
   */
  boolean empty(DiscardedFiles leavings) {
    try {
      if (holding) {
        delete(held);
        holding = false;
      }
      // Looked at anew: a process that has left its command's group may have written since.
      if (tidy && strays().isEmpty() && rights(temp).equals(rights) && isEmpty(temp)) {
        if (!leavings.take(work)) {
          delete(work);
        }
        return true;
      }
    } catch (IOException e) {
      LOG.debug("{} is not used again", root, e);
    }
    close();
    return false;
  }

  /** None of what is no directory, which a command may have put in its place. */
  private static Set<PosixFilePermission> rights(Path directory) throws IOException {
    PosixFileAttributes is =
        Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return is.isDirectory() ? is.permissions() : Set.of();
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      return !entries.iterator().hasNext();
    }
  }

  static void delete(Path root) throws IOException {
    try {
      // Most are empty: a command's files may be few, and nearly nobody leaves temporary ones.
      Files.deleteIfExists(root);
      return;
    } catch (DirectoryNotEmptyException e) {
      // What is in it first.
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
