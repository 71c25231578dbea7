package dev.weir.workflow.staging;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/** The current user's home directory in HDFS, which administrators create. */
public final class HomeDirectory {

  private HomeDirectory() {}

  /**
   * Explains a refused write if the user's home directory is missing.
   *
   * @param path the path that the user may not create
   * @param refused the refusal
   * @return an exception that says what to do if the path is below a missing home directory;
   *     otherwise the refusal
   */
  public static IOException explained(FileSystem fs, Path path, AccessControlException refused) {
    Path home = fs.makeQualified(fs.getHomeDirectory());
    if (!isBelow(fs.makeQualified(path), home) || !isMissing(fs, home)) {
      return refused;
    }
    String user = home.getName();
    String name = Path.getPathWithoutSchemeAndAuthority(home).toString();
    return new RunException(
        String.format(
            Locale.ROOT,
            "%s has no home directory in HDFS (%s) and may not create one: have an"
                + " administrator run"
                + " 'hdfs dfs -mkdir -p %s' and 'hdfs dfs -chown %s %s'",
            user,
            name,
            name,
            user,
            name),
        refused);
  }

  private static boolean isBelow(Path path, Path home) {
    return (path + Path.SEPARATOR).startsWith(home + Path.SEPARATOR);
  }

  private static boolean isMissing(FileSystem fs, Path home) {
    try {
      return !fs.exists(home);
    } catch (IOException e) {
      // The original refusal is more useful.
      return false;
    }
  }
}
