package dev.weir.workflow.hdfs;

import dev.weir.workflow.staging.RunPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds files of a workflow in HDFS by one listing of each of their directories. */
public final class DataListing {

  private static final Logger LOG = LoggerFactory.getLogger(DataListing.class);

  private DataListing() {}

  /** Receives the files that exist. */
  public interface Finder<T extends FileStatus> {

    /** Receives the status at the path of this file id. */
    void found(String id, T status) throws IOException;
  }

  /**
   * Searches for files. Files in a missing directory do not exist.
   *
   * @param ids of the wanted files
   */
  public static <T extends FileStatus> void search(
      RunPlan plan,
      Set<String> ids,
      FunctionRaisingIOE<Path, RemoteIterator<T>> lister,
      Finder<T> finder)
      throws IOException {
    Set<String> directories = new HashSet<>();
    for (String id : ids) {
      directories.add(parent(plan.path(id)));
    }
    for (String directory : directories) {
      try {
        RemoteIterator<T> listed = lister.apply(new Path(null, null, directory));
        while (listed.hasNext()) {
          T status = listed.next();
          Path path = Path.getPathWithoutSchemeAndAuthority(status.getPath());
          String id = plan.fileId(path.toString());
          if (ids.contains(id)) {
            finder.found(id, status);
          }
        }
      } catch (FileNotFoundException e) {
        LOG.debug("Directory {} does not exist yet", directory, e);
      }
    }
  }

  /**
   * Returns the directory of a path, without a Path object: a run may have hundreds of thousands of
   * files.
   */
  static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }
}
