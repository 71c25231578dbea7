package dev.weir.workflow.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/** Determines whether HDFS encrypts files that do not exist yet. */
public final class EncryptionZones {

  private EncryptionZones() {}

  /**
   * Returns whether one of the files is, or may be, in an encryption zone. It may be if this user
   * must not look it up. Blocks.
   *
   * @param paths absolute paths of the files, whose directories need not exist
   */
  public static boolean mayContain(DistributedFileSystem fs, Collection<String> paths)
      throws IOException {
    if (fs.getKeyProviderUri() == null) {
      return false;
    }
    Set<Path> asked = new HashSet<>();
    for (String path : paths) {
      if (mayContain(fs, new Path(null, null, path).getParent(), asked)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayContain(
      DistributedFileSystem fs, @Nullable Path directory, Set<Path> asked) throws IOException {
    Path next = directory;
    while (next != null && asked.add(next)) {
      try {
        return fs.getEZForPath(next) != null;
      } catch (AccessControlException e) {
        return true;
      } catch (FileNotFoundException e) {
        next = next.getParent();
      }
    }
    return false;
  }
}
