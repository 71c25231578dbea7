package dev.weir.yarn.lookup;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Asks the default file system of the ResourceManager's configuration. A directory stands for its
 * files, without those in subdirectories. A pattern stands for its matches, unless a file of that
 * name exists. Unreadable paths among several do not affect the others.
 */
public final class HdfsLocationLookup implements LocationLookup {

  /** The most files read for one path. This sample is large enough to tell where the bytes are. */
  static final int MAX_FILES = 1_000;

  /**
   * The most files and directory entries read for one name, as many as for two patterns. A name may
   * list thousands of directories.
   */
  static final int MAX_OF_NAME = 2 * BoundedGlob.MAX_ENTRIES;

  private static final int MAX_USERS = 50;

  private final UserFileSystems fileSystems;

  public HdfsLocationLookup(Configuration conf) {
    fileSystems = new UserFileSystems(withShortTimeouts(conf), MAX_USERS);
  }

  /**
   * Configures a client with short timeouts, because a late answer is of little use and threads are
   * few. It uses Hadoop's own file system class, because reading needs no hints.
   */
  private static Configuration withShortTimeouts(Configuration conf) {
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    client.setInt("ipc.client.connect.max.retries", 1);
    client.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    client.setInt("ipc.client.connect.timeout", 3_000);
    client.setInt("ipc.client.rpc-timeout.ms", 10_000);
    // Each user has a separate connection, with two threads in the ResourceManager.
    client.setInt("ipc.client.connection.maxidletime", 1_000);
    client.setInt("dfs.client.failover.max.attempts", 4);
    client.setInt("dfs.client.retry.max.attempts", 1);
    client.setBoolean("dfs.client.retry.policy.enabled", false);
    return client;
  }

  /** Loads the client's many classes with a first call, as the ResourceManager's own user. */
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
  public void close() {
    fileSystems.close();
  }

  /**
   * Sums up the bytes of one name. Paths beyond the limit are skipped and do not count as missing.
   */
  private static final class Sum {

    private final FileSystem fs;
    private final Map<String, Long> bytes = new HashMap<>();
    private final Map<String, Long> cached = new HashMap<>();
    private int remaining = MAX_OF_NAME;

    /** The number of files of the current path. */
    private int files;

    Sum(FileSystem fs) {
      this.fs = fs;
    }

    LocationResult.Found of(List<String> paths) throws IOException {
      List<String> missing = new ArrayList<>();
      IOException first = null;
      for (String path : paths) {
        if (remaining <= 0) {
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
      remaining--;
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
      BoundedGlob glob =
          new BoundedGlob(fs, MAX_FILES, Math.min(BoundedGlob.MAX_ENTRIES, remaining));
      IOException first = new FileNotFoundException(pattern);
      boolean any = false;
      List<Path> matches = glob.matches(pattern);
      remaining -= glob.entriesRead();
      boolean cut = glob.limitReached();
      for (Path match : matches) {
        if (files >= MAX_FILES || remaining <= 0) {
          cut = true;
          break;
        }
        remaining--;
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
          // One request; the file's status and its blocks would take two.
          addBlocks(hdfs.getFileBlockLocations(path, 0, Long.MAX_VALUE));
          files++;
          return;
        } catch (FileNotFoundException e) {
          // The path may be a directory.
        }
      }
      FileStatus status = fs.getFileStatus(path);
      if (!status.isDirectory()) {
        files++;
        addBlocks(fs.getFileBlockLocations(status, 0, status.getLen()));
        return;
      }
      RemoteIterator<LocatedFileStatus> list = fs.listLocatedStatus(path);
      for (int i = 0; i < MAX_FILES && remaining > 0 && list.hasNext(); i++) {
        LocatedFileStatus file = list.next();
        remaining--;
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
