package dev.weir.service.access;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The extended attribute that keeps the hint of a path with the path. */
public final class HintAttributes {
  /** Its name. */
  public static final String NAME = "user.weir.hint";

  private static final Logger LOG = LoggerFactory.getLogger(HintAttributes.class);

  private final CallerFileSystems callers;

  /** Asks as the callers. */
  public HintAttributes(CallerFileSystems callers) {
    this.callers = callers;
  }

  /**
   * Looks for a path.
   *
   * @return whether it is a directory; empty when there is no such path
   * @throws AccessControlException when the user may not look there
   */
  public Optional<Boolean> isDirectory(String user, String authority, String path)
      throws IOException {
    return callers.ask(
        user,
        authority,
        files -> {
          try {
            return Optional.of(files.getFileStatus(new Path(path)).isDirectory());
          } catch (FileNotFoundException | ParentNotDirectoryException e) {
            return Optional.empty();
          }
        });
  }

  /**
   * Sets the attribute.
   *
   * @return whether it is set: there are file systems that keep none
   * @throws IOException when the file system cannot be asked, or the user may not
   */
  public boolean set(String user, String authority, String path, String value) throws IOException {
    return callers.ask(
        user,
        authority,
        files -> {
          try {
            files.setXAttr(new Path(path), NAME, value.getBytes(StandardCharsets.UTF_8));
            return true;
          } catch (FileNotFoundException | UnsupportedOperationException e) {
            return false;
          } catch (IOException e) {
            return notKept(path, e);
          }
        });
  }

  /**
   * The attribute's value.
   *
   * @return empty when there is none
   */
  public Optional<String> get(String user, String authority, String path) throws IOException {
    return callers.ask(user, authority, files -> read(files, new Path(path)));
  }

  /**
   * Removes the attribute.
   *
   * @return whether there was one
   * @throws IOException when the file system cannot be asked, or the user may not
   */
  public boolean remove(String user, String authority, String path) throws IOException {
    return callers.ask(
        user,
        authority,
        files -> {
          Path file = new Path(path);
          if (read(files, file).isEmpty()) {
            return false;
          }
          files.removeXAttr(file, NAME);
          return true;
        });
  }

  private static Optional<String> read(FileSystem files, Path path) throws IOException {
    try {
      byte[] value = files.getXAttrs(path).get(NAME);
      return value == null
          ? Optional.empty()
          : Optional.of(new String(value, StandardCharsets.UTF_8));
    } catch (FileNotFoundException
        | ParentNotDirectoryException
        | UnsupportedOperationException e) {
      return Optional.empty();
    } catch (IOException e) {
      notKept(path.toString(), e);
      return Optional.empty();
    }
  }

  /** Whether a NameNode refuses attributes as such: switched off, or too many on that file. */
  private static boolean notKept(String path, IOException refusal) throws IOException {
    if (refusal instanceof RemoteException remote
        && remote.getClassName().equals(IOException.class.getName())) {
      LOG.info("{} keeps no attribute for its hint: {}", path, refusal.getMessage());
      return false;
    }
    throw refusal;
  }
}
