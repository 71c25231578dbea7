package dev.weir.workflow.sandbox;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** Files of the local disk that are written once, and what tells whether they were written to. */
public final class LocalFiles {

  private static final FileAttribute<Set<PosixFilePermission>> READ_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--"));

  private static final long COPIED_AT_ONCE = 8 << 20;

  private LocalFiles() {}

  /**
   * Makes a file that nobody may write to but through the stream returned.
   *
   * @throws java.nio.file.FileAlreadyExistsException when there is one already
   */
  public static OutputStream createReadOnly(Path file) throws IOException {
    return Channels.newOutputStream(
        Files.newByteChannel(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), READ_ONLY));
  }

  /**
   * Lets nobody open a file for writing any more; whoever has it open already may go on.
   *
   * @throws IOException when it is not this user's
   */
  public static void setReadOnly(Path file) throws IOException {
    Files.setPosixFilePermissions(file, READ_ONLY.value());
  }

  /** Makes a directory, unless another thread has just done so. */
  static void makeDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /**
   * Copies what a file holds now; ends early if it becomes shorter meanwhile.
   *
   * @param to is made anew
   * @throws java.nio.channels.ClosedByInterruptException when the thread is told to stop
   */
  public static void copy(Path from, Path to) throws IOException {
    try (FileChannel in = FileChannel.open(from);
        FileChannel out =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = in.size();
      long at = 0;
      long moved = 1;
      // In pieces: nothing interrupts a piece.
      while (at < size && moved > 0) {
        moved = in.transferTo(at, Math.min(size - at, COPIED_AT_ONCE), out);
        at += moved;
      }
    }
  }

  /**
   * What the kernel says of a file.
   *
   * @param inode which file it is
   * @param bytes its length
   * @param modified when its content was written, or is said to have been
   * @param changed when anything of it was changed, which nobody can set
   * @param links how many names it has
   */
  public record Facts(long inode, long bytes, FileTime modified, FileTime changed, long links) {

    /** Whether this name is its only one. */
    public boolean isAlone() {
      return links == 1;
    }

    /** Whether its content was written to meanwhile, by what the file says of itself. */
    public boolean isWrittenSince(Facts then) {
      return bytes != then.bytes || !modified.equals(then.modified);
    }
  }

  /**
   * Looks at a file itself, and not at what it points to.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  public static Facts facts(Path file) throws IOException {
    Map<String, Object> is =
        Files.readAttributes(
            file, "unix:ino,size,lastModifiedTime,ctime,nlink", LinkOption.NOFOLLOW_LINKS);
    return new Facts(
        number(is, "ino"),
        number(is, "size"),
        (FileTime) requireNonNull(is.get("lastModifiedTime")),
        (FileTime) requireNonNull(is.get("ctime")),
        number(is, "nlink"));
  }

  /**
   * Sets when a file is said to have been written; of the file itself, not of what it points to.
   *
   * @throws IOException when it is not this user's
   */
  public static void setModified(Path file, FileTime modified) throws IOException {
    Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(modified, null, null);
  }

  private static long number(Map<String, Object> is, String what) {
    return ((Number) requireNonNull(is.get(what))).longValue();
  }
}
