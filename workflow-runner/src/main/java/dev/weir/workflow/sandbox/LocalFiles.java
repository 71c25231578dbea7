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

/** Creates local files that are written once, and detects whether they were written to. */
public final class LocalFiles {

  private static final FileAttribute<Set<PosixFilePermission>> READ_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r--r--r--"));

  private static final long PIECE_BYTES = 8 << 20;

  private LocalFiles() {}

  /**
   * Creates a file that can only be written to through the returned stream.
   *
   * @throws java.nio.file.FileAlreadyExistsException when there is one already
   */
  public static OutputStream createReadOnly(Path file) throws IOException {
    return Channels.newOutputStream(
        Files.newByteChannel(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), READ_ONLY));
  }

  /**
   * Makes a file read-only; processes that have it open for writing may continue.
   *
   * @throws IOException when the file belongs to another user
   */
  public static void setReadOnly(Path file) throws IOException {
    Files.setPosixFilePermissions(file, READ_ONLY.value());
  }

  /** Creates a directory, unless another thread has just done so. */
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
   * Copies the current content of a file; ends early if the file becomes shorter meanwhile.
   *
   * @param to is created
   * @throws java.nio.channels.ClosedByInterruptException when the thread is interrupted
   */
  public static void copy(Path from, Path to) throws IOException {
    try (FileChannel in = FileChannel.open(from);
        FileChannel out =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = in.size();
      long position = 0;
      long moved = 1;
      // Copied in pieces, because a piece is not interruptible.
      while (position < size && moved > 0) {
        moved = in.transferTo(position, Math.min(size - position, PIECE_BYTES), out);
        position += moved;
      }
    }
  }

  /**
   * Attributes of a file.
   *
   * @param modified modification time (mtime), which programs can set
   * @param changed change time (ctime), which programs cannot set
   * @param links number of hard links
   */
  public record Facts(long inode, long bytes, FileTime modified, FileTime changed, long links) {

    /** Returns whether the file has only one link. */
    public boolean isAlone() {
      return links == 1;
    }

    /** Returns whether the content was written to meanwhile, as far as the attributes show. */
    public boolean isWrittenSince(Facts then) {
      return bytes != then.bytes || !modified.equals(then.modified);
    }
  }

  /**
   * Reads the attributes of a file; symbolic links are not followed.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  public static Facts facts(Path file) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(
            file, "unix:ino,size,lastModifiedTime,ctime,nlink", LinkOption.NOFOLLOW_LINKS);
    return new Facts(
        number(attributes, "ino"),
        number(attributes, "size"),
        (FileTime) requireNonNull(attributes.get("lastModifiedTime")),
        (FileTime) requireNonNull(attributes.get("ctime")),
        number(attributes, "nlink"));
  }

  /**
   * Sets the modification time of a file; symbolic links are not followed.
   *
   * @throws IOException when the file belongs to another user
   */
  public static void setModified(Path file, FileTime modified) throws IOException {
    Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(modified, null, null);
  }

  private static long number(Map<String, Object> attributes, String name) {
    return ((Number) requireNonNull(attributes.get(name))).longValue();
  }
}
