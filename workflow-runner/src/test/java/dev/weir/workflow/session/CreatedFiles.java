package dev.weir.workflow.session;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Local files of which something befalls those that are created in a directory that is there. */
public abstract class CreatedFiles extends RawLocalFileSystem {

  /** The creation of a file as local files have it. */
  public interface Creation {
    FSDataOutputStream create() throws IOException;
  }

  /**
   * A new file.
   *
   * @param file where
   * @param plain does so without anything that befalls it
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
