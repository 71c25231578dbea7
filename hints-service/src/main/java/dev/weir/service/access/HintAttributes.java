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

/** Reads and writes the extended attribute that stores a path's hint with the path. */
public final class HintAttributes {
  public static final String NAME = "user.weir.hint";

  private static final Logger LOG = LoggerFactory.getLogger(HintAttributes.class);

  private final CallerFileSystems callers;

  /** Creates an accessor that acts as the callers. */
  public HintAttributes(CallerFileSystems callers) {
    this.callers = callers;
  }

  /**
   * Looks a path up.
   *
   * @return whether it is a directory; empty if the path does not exist
   * @throws AccessControlException if the user may not look there
   */
  public Optional<Boolean> isDirectory(String user, String authority, String path)
      throws IOException {
    return callers.call(
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
   * @return false if the file system does not support attributes
   * @throws IOException if the file system does not answer, or the user lacks the permission
   */
  public boolean set(String user, String authority, String path, String value) throws IOException {
    return callers.call(
        user,
        authority,
        files -> {
          try {
            files.setXAttr(new Path(path), NAME, value.getBytes(StandardCharsets.UTF_8));
            return true;
          } catch (FileNotFoundException | UnsupportedOperationException e) {
            return false;
          } catch (IOException e) {
            return failUnlessUnsupported(path, e);
          }
        });
  }

  /**
   * Reads the attribute.
   *
   * @return empty if the path has none
   */
  public Optional<String> get(String user, String authority, String path) throws IOException {
    return callers.call(user, authority, files -> read(files, new Path(path)));
  }

  /**
   * Removes the attribute.
   *
   * @return whether the path had one
   * @throws IOException if the file system does not answer, or the user lacks the permission
   */
  public boolean remove(String user, String authority, String path) throws IOException {
    return callers.call(
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
      failUnlessUnsupported(path.toString(), e);
      return Optional.empty();
    }
  }

  /**
   * Returns false if the NameNode cannot store the attribute: attributes are disabled, or the file
   * has too many. Throws all other failures.
   */
  private static boolean failUnlessUnsupported(String path, IOException refusal)
      throws IOException {
    if (refusal instanceof RemoteException remote
        && remote.getClassName().equals(IOException.class.getName())) {
      LOG.info("{} cannot store its hint as an attribute: {}", path, refusal.getMessage());
      return false;
    }
    throw refusal;
  }
}
