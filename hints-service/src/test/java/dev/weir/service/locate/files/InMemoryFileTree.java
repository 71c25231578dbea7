package dev.weir.service.locate.files;

import java.io.FileNotFoundException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.security.AccessControlException;

/** One directory as a NameNode lists it, in parts of a hundred, with a count of the calls. */
final class InMemoryFileTree implements FileTree {
  static final int PART = 100;

  private final String directory;
  private final SortedMap<byte[], FileInfo> files = new TreeMap<>(DFSUtilClient::compareBytes);
  private boolean readable = true;
  private boolean traversable = true;
  private int parts;
  private int finds;

  InMemoryFileTree(String directory) {
    this.directory = directory;
  }

  void add(String name) {
    files.put(bytes(name), new FileInfo(false, 7, 1, 1024, Instant.EPOCH, false, false, List.of()));
  }

  void addDirectory(String name) {
    files.put(bytes(name), FileInfo.ofDirectory());
  }

  boolean has(String name) {
    return files.containsKey(bytes(name));
  }

  void allow(boolean mayRead, boolean mayTraverse) {
    readable = mayRead;
    traversable = mayTraverse;
  }

  int parts() {
    return parts;
  }

  int finds() {
    return finds;
  }

  @Override
  public Optional<FileInfo> find(String path) throws AccessControlException {
    finds++;
    if (path.equals(directory)) {
      return Optional.of(FileInfo.ofDirectory());
    }
    require(traversable);
    return path.startsWith(directory + "/")
        ? Optional.ofNullable(files.get(bytes(path.substring(directory.length() + 1))))
        : Optional.empty();
  }

  @Override
  public Optional<Page> page(String listed, byte[] after, Predicate<String> wanted)
      throws AccessControlException, FileNotFoundException {
    parts++;
    if (!listed.equals(directory)) {
      throw new FileNotFoundException(listed);
    }
    require(readable);
    Map<String, FileInfo> found = new HashMap<>();
    byte[] last = after;
    int count = 0;
    for (Map.Entry<byte[], FileInfo> file : files.tailMap(after).entrySet()) {
      if (DFSUtilClient.compareBytes(file.getKey(), after) > 0) {
        if (count++ == PART) {
          return Optional.of(new Page(found, last, true));
        }
        last = file.getKey();
        String name = new String(last, StandardCharsets.UTF_8);
        if (wanted.test(name)) {
          found.put(name, file.getValue());
        }
      }
    }
    return Optional.of(new Page(found, last, false));
  }

  @Override
  public boolean mayTraverse(String path) {
    return traversable;
  }

  private static void require(boolean allowed) throws AccessControlException {
    if (!allowed) {
      throw new AccessControlException("Permission denied");
    }
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
