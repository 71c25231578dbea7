package dev.weir.workflow.staging;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/** The current user's home directory in HDFS, which administrators make. */
public final class HomeDirectory {

  private HomeDirectory() {}

  /**
   * What to tell of a refusal.
   *
   * @param fs the file system that refused
   * @param path what the user may not make
   * @param refused what it said
   * @return what to do, when it is below a home directory that is not there; otherwise the refusal
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
            "%s has no home directory in HDFS (%s) and may not make one: have an administrator run"
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
      // What was refused first says more.
      return false;
    }
  }
}
