package dev.weir.workflow.session;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files with a hook for those that are created in an existing directory. */
public abstract class CreateHookFileSystem extends RawLocalFileSystem {

  /** Creates a file as the local file system does. */
  public interface Creation {
    FSDataOutputStream create() throws IOException;
  }

  /**
   * Creates a file.
   *
   * @param file the path
   * @param plain creates it without interference
   */
  public abstract FSDataOutputStream created(Path file, Creation plain) throws IOException;

  @Override
  public final FSDataOutputStream createNonRecursive(
      Path file,
      FsPermission permission,
      EnumSet<CreateFlag> flags,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    return created(
        file,
        () ->
            super.createNonRecursive(
                file, permission, flags, bufferSize, replication, blockSize, progress));
  }
}
