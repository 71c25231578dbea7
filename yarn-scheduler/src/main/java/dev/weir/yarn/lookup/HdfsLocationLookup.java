package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks the default file system of the ResourceManager's configuration. A directory stands for the
 * files in it, not for those in its subdirectories, and a pattern for what it matches, unless there
 * is a file of that very name. Of several paths those that cannot be read do not spoil the others.
 */
public final class HdfsLocationLookup implements LocationLookup {

  /** A sample of this many files tells well enough where the bytes of a name are. */
  static final int MAX_FILES = 1_000;

  /**
   * Files and entries of directories that are looked at for one name, which has room for the paths
   * of thousands of directories: as many as of two patterns.
   */
  static final int MAX_OF_NAME = 2 * BoundedGlob.MAX_ENTRIES;

  private static final int MAX_USERS = 50;

  /** About as many files as a NameNode tells of at a time, and how many make that worth while. */
  private static final int PAGE = 1_000;

  private static final int WORTH_A_PAGE = 50;

  private final UserFileSystems fileSystems;

  public HdfsLocationLookup(Configuration conf) {
    fileSystems = new UserFileSystems(impatient(conf), MAX_USERS);
  }

  /**
   * A client that gives up soon: an answer after the ask has gone to the scheduler is worth little,
   * and the threads are few. Reading needs no hints, so it is Hadoop's own file system class, which
   * also keeps anything of a client out of the ResourceManager.
   */
  private static Configuration impatient(Configuration conf) {
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    client.setInt("ipc.client.connect.max.retries", 1);
    client.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    client.setInt("ipc.client.connect.timeout", 3_000);
    client.setInt("ipc.client.rpc-timeout.ms", 10_000);
    // Each user has a connection of its own, and that two threads in the ResourceManager.
    client.setInt("ipc.client.connection.maxidletime", 1_000);
    client.setInt("dfs.client.failover.max.attempts", 4);
    client.setInt("dfs.client.retry.max.attempts", 1);
    client.setBoolean("dfs.client.retry.policy.enabled", false);
    return client;
  }

  /**
   * As the ResourceManager itself: the classes of a client are many, and come with its first call.
   */
  @Override
  public void prepare() throws Exception {
    locate(UserGroupInformation.getLoginUser().getShortUserName(), List.of("/"));
  }

  @Override
  public Map<String, Long> bytesByHost(String user, List<String> paths) throws Exception {
    return locate(user, paths).bytesByHost();
  }

  @Override
  public LocationResult.Found locate(String user, List<String> paths) throws Exception {
    return fileSystems.as(user, fs -> new Sum(fs).of(paths));
  }

  @Override
  public Map<String, LocationResult.Found> inDirectory(
      String user, String directory, Set<String> paths) throws Exception {
    return fileSystems.as(user, fs -> listed(fs, user, directory, paths));
  }

  /**
   * Stops where a page of a listing would cost more than asking for the files one by one. What a
   * listing tells of a file does not say whether the user may read it, so where that is not plain
   * from its permissions the file is left out, and asked for by itself.
   */
  private static Map<String, LocationResult.Found> listed(
      FileSystem fs, String user, String directory, Set<String> paths) throws IOException {
    Map<String, LocationResult.Found> found = new HashMap<>();
    int seen = 0;
    RemoteIterator<LocatedFileStatus> list = fs.listLocatedStatus(new Path(directory));
    while (found.size() < paths.size() && list.hasNext()) {
      LocatedFileStatus file = list.next();
      seen++;
      String path = file.getPath().toUri().getPath();
      if (paths.contains(path) && file.isFile() && mayRead(user, file)) {
        Sum sum = new Sum(fs);
        sum.addBlocks(file.getBlockLocations());
        found.put(path, new LocationResult.Found(sum.bytes, sum.cached, List.of()));
      }
      if (seen % PAGE == 0 && found.size() < seen / PAGE * WORTH_A_PAGE) {
        break;
      }
    }
    return found;
  }

  /** Others' groups are not known here, so the file must be open to its group and to the rest. */
  private static boolean mayRead(String user, FileStatus file) {
    FsPermission permission = file.getPermission();
    FsAction its =
        user.equals(file.getOwner())
            ? permission.getUserAction()
            : permission.getGroupAction().and(permission.getOtherAction());
    return !file.hasAcl() && its.implies(FsAction.READ);
  }

  @Override
  public void close() {
    fileSystems.close();
  }

  /** The bytes of one name. Paths for which nothing is left are left out, and not missing. */
  private static final class Sum {

    private final FileSystem fs;
    private final Map<String, Long> bytes = new HashMap<>();
    private final Map<String, Long> cached = new HashMap<>();
    private int left = MAX_OF_NAME;

    /** Of the path that is being added. */
    private int files;

    Sum(FileSystem fs) {
      this.fs = fs;
    }

    LocationResult.Found of(List<String> paths) throws IOException {
      List<String> missing = new ArrayList<>();
      IOException first = null;
      for (String path : paths) {
        if (left <= 0) {
          break;
        }
        try {
          add(path);
        } catch (FileNotFoundException | AccessControlException e) {
          first = first == null ? e : first;
          missing.add(path);
        }
      }
      if (first != null && missing.size() == paths.size()) {
        throw first;
      }
      return new LocationResult.Found(bytes, cached, missing);
    }

    private void add(String path) throws IOException {
      files = 0;
      left--;
      try {
        addPath(new Path(path));
      } catch (FileNotFoundException e) {
        if (!BoundedGlob.is(path)) {
          throw e;
        }
        addMatches(path);
      }
    }

    private void addMatches(String pattern) throws IOException {
      BoundedGlob glob = new BoundedGlob(fs, MAX_FILES, Math.min(BoundedGlob.MAX_ENTRIES, left));
      IOException first = new FileNotFoundException(pattern);
      boolean any = false;
      List<Path> matches = glob.matches(pattern);
      left -= glob.lookedAt();
      boolean cut = glob.gaveUp();
      for (Path match : matches) {
        if (files >= MAX_FILES || left <= 0) {
          cut = true;
          break;
        }
        left--;
        try {
          addPath(match);
          any = true;
        } catch (FileNotFoundException | AccessControlException e) {
          first = e;
        }
      }
      if (!any && !cut) {
        throw first;
      }
    }

    private void addPath(Path path) throws IOException {
      if (fs instanceof DistributedFileSystem hdfs) {
        try {
          // One question where the status of the file and its blocks are two.
          addBlocks(hdfs.getFileBlockLocations(path, 0, Long.MAX_VALUE));
          files++;
          return;
        } catch (FileNotFoundException e) {
          // It may be a directory.
        }
      }
      FileStatus status = fs.getFileStatus(path);
      if (!status.isDirectory()) {
        files++;
        addBlocks(fs.getFileBlockLocations(status, 0, status.getLen()));
        return;
      }
      RemoteIterator<LocatedFileStatus> list = fs.listLocatedStatus(path);
      for (int i = 0; i < MAX_FILES && left > 0 && list.hasNext(); i++) {
        LocatedFileStatus file = list.next();
        left--;
        if (file.isFile()) {
          files++;
          addBlocks(file.getBlockLocations());
        }
      }
    }

    private void addBlocks(BlockLocation[] blocks) throws IOException {
      for (BlockLocation block : blocks) {
        if (!block.isCorrupt()) {
          for (String host : new HashSet<>(List.of(block.getHosts()))) {
            bytes.merge(host, block.getLength(), Long::sum);
          }
          for (String host : new HashSet<>(List.of(block.getCachedHosts()))) {
            cached.merge(host, block.getLength(), Long::sum);
          }
        }
      }
    }
  }
}
