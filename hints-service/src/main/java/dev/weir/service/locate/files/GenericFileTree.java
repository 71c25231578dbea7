package dev.weir.service.locate.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;

/** Any file system other than HDFS, path by path. A directory is listed in one part. */
final class GenericFileTree implements FileTree {
  private final FileSystem files;

  GenericFileTree(FileSystem files) {
    this.files = files;
  }

  @Override
  public Optional<FileInfo> find(String path) throws IOException {
    FileStatus status;
    try {
      status = files.getFileStatus(new Path(path));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    return Optional.of(info(status));
  }

  @Override
  public boolean isListable() {
    return false;
  }

  @Override
  public Optional<Page> page(String directory, byte[] after, Predicate<String> wanted)
      throws IOException {
    Map<String, FileInfo> entries = new HashMap<>();
    for (FileStatus status : files.listStatus(new Path(directory))) {
      String name = status.getPath().getName();
      if (wanted.test(name)) {
        entries.put(name, info(status));
      }
    }
    return Optional.of(new Page(entries, after, false));
  }

  @Override
  public boolean mayTraverse(String directory) throws IOException {
    try {
      files.access(new Path(directory), FsAction.EXECUTE);
      return true;
    } catch (AccessControlException e) {
      return false;
    }
  }

  private FileInfo info(FileStatus status) throws IOException {
    if (status.isDirectory()) {
      return FileInfo.ofDirectory();
    }
    List<FileBlock> blocks = new ArrayList<>();
    for (BlockLocation block : files.getFileBlockLocations(status, 0, status.getLen())) {
      blocks.add(
          new FileBlock(block.getOffset(), block.getLength(), block.getLength(), replicas(block)));
    }
    return new FileInfo(
        false,
        status.getLen(),
        status.getReplication(),
        status.getBlockSize(),
        Instant.ofEpochMilli(status.getModificationTime()),
        false,
        false,
        blocks);
  }

  private static List<Replica> replicas(BlockLocation block) throws IOException {
    String[] names = block.getNames();
    String[] hosts = block.getHosts();
    String[] topologyPaths = block.getTopologyPaths();
    Set<String> cached = new HashSet<>(Arrays.asList(block.getCachedHosts()));
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < hosts.length && !block.isCorrupt(); i++) {
      String topologyPath = i < topologyPaths.length ? topologyPaths[i] : "";
      replicas.add(
          new Replica(
              hosts[i],
              i < names.length ? port(names[i]) : 0,
              topologyPath.lastIndexOf('/') > 0
                  ? topologyPath.substring(0, topologyPath.lastIndexOf('/'))
                  : "/default-rack",
              cached.contains(hosts[i])));
    }
    return replicas;
  }

  private static int port(String name) {
    try {
      return Integer.parseInt(name.substring(name.lastIndexOf(':') + 1));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
