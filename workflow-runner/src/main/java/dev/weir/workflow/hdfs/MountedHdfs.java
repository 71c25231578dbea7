package dev.weir.workflow.hdfs;

import dev.weir.workflow.staging.RunException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.ViewFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;

/**
 * The HDFS behind a client's mount table. If the default file system is a view of several ({@code
 * viewfs}, or {@code hdfs} with an overload scheme), a run uses the one that has its user's home
 * directory.
 */
public final class MountedHdfs {
  private static final String HOMES_KEY = "dfs.user.home.dir.prefix";
  private static final String HDFS = "hdfs";

  private MountedHdfs() {}

  /**
   * Returns the default file system or, if that is a view, the file system of the home directory.
   *
   * @return empty if that is no HDFS
   */
  public static Optional<DistributedFileSystem> ofHome(Configuration conf) throws IOException {
    FileSystem fs = FileSystem.get(conf);
    if (!isView(fs)) {
      return fs instanceof DistributedFileSystem hdfs ? Optional.of(hdfs) : Optional.empty();
    }
    Path home = resolve(fs, homeOf(fs));
    if (!HDFS.equals(home.toUri().getScheme()) || home.getParent() == null) {
      return Optional.empty();
    }
    Configuration mounted = new Configuration(conf);
    // The mount table may give the directory another path.
    mounted.set(HOMES_KEY, home.getParent().toUri().getPath());
    return Optional.of(PlainHdfs.open(new Path(home, "/").toUri(), mounted));
  }

  /**
   * A {@link ViewDistributedFileSystem} without a fallback knows its home as working directory
   * only.
   */
  private static Path homeOf(FileSystem fs) {
    Path home = fs.getHomeDirectory();
    return home == null ? fs.getWorkingDirectory() : home;
  }

  /**
   * Returns the path of a file in HDFS, by the mount table of the client if there is one.
   *
   * @param fs what {@link #ofHome} returned
   * @param path absolute, or relative to the home directory
   * @throws RunException if the mount table has the path in another file system
   */
  public static String pathIn(DistributedFileSystem fs, String path) throws IOException {
    Path given = new Path(null, null, path);
    FileSystem client = FileSystem.get(fs.getConf());
    if (!isView(client)) {
      return fs.makeQualified(given).toUri().getPath();
    }
    Path resolved = resolve(client, given);
    if (!isIn(fs, resolved)) {
      throw new RunException(
          path
              + " is "
              + resolved
              + " by the mount table, and your home directory is in "
              + fs.getUri()
              + ": a run needs both in one file system; name a directory there, or use a"
              + " configuration with fs.defaultFS = "
              + new Path(resolved, "/"));
    }
    return resolved.toUri().getPath();
  }

  private static boolean isIn(FileSystem fs, Path path) {
    return HDFS.equals(path.toUri().getScheme())
        && fs.getUri().getAuthority().equals(path.toUri().getAuthority());
  }

  /**
   * Resolves a path by the mount table, also one that does not exist.
   *
   * @return the qualified path in the mounted file system; in {@code fs} itself if that is no view
   *     or mounts nothing there
   */
  public static Path resolve(FileSystem fs, Path path) throws IOException {
    Path whole = fs.makeQualified(path);
    if (!isView(fs)) {
      return whole;
    }
    for (Path at = whole; at != null; at = at.getParent()) {
      try {
        return append(fs.resolvePath(at), below(at, whole));
      } catch (FileNotFoundException e) {
        // The mount of the parent directory applies.
      }
    }
    return whole;
  }

  private static String below(Path ancestor, Path path) {
    return ancestor.isRoot()
        ? path.toUri().getPath()
        : path.toUri().getPath().substring(ancestor.toUri().getPath().length());
  }

  private static Path append(Path ancestor, String below) {
    String path = ancestor.isRoot() ? below : ancestor.toUri().getPath() + below;
    return new Path(
        ancestor.toUri().getScheme(), ancestor.toUri().getAuthority(), path.isEmpty() ? "/" : path);
  }

  private static boolean isView(FileSystem fs) {
    return fs instanceof ViewFileSystem || fs instanceof ViewDistributedFileSystem;
  }
}
