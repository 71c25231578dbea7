package dev.weir.service.locate.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Looks up some files of one directory. It lists a part of the directory if several of the files
 * may be in the part, and looks up single files if they are few or far apart. The size of the
 * directory is not known in advance. After a part with too few of the files, single calls follow
 * that cost about as much. So a look-up costs at most about twice the better of the two ways, and
 * the memory of one part.
 */
final class DirectoryLookup {
  /** The least number of wanted files in a part that makes the listing worthwhile. */
  static final int MIN_NAMES_TO_LIST = 4;

  /** The number of single calls that cost a NameNode as much as a part of a listing. */
  static final int CALLS_PER_LISTING = 16;

  private final FileTree tree;
  private final String directory;
  private final PathLookup.Listener listener;
  private final List<byte[]> names;
  private final Map<String, FilePath> wanted;
  private int next;

  /**
   * Creates a look-up.
   *
   * @param wanted the names to look up, and their paths
   * @param listener receives each path once
   */
  DirectoryLookup(
      FileTree tree, String directory, Map<String, FilePath> wanted, PathLookup.Listener listener) {
    this.tree = tree;
    this.directory = directory;
    this.listener = listener;
    this.wanted = wanted;
    this.names =
        wanted.keySet().stream()
            .map(name -> name.getBytes(StandardCharsets.UTF_8))
            .sorted(DFSUtilClient::compareBytes)
            .toList();
  }

  /** Looks up all names. */
  void run() throws IOException {
    boolean listing = true;
    byte[] last = FileTree.FIRST;
    while (next < names.size()) {
      if (!listing || names.size() - next < MIN_NAMES_TO_LIST) {
        findOneByOne(names.size() - next);
        return;
      }
      int before = next;
      Optional<byte[]> end = list(last);
      if (end.isEmpty()) {
        listing = false;
      } else if (next - before < MIN_NAMES_TO_LIST) {
        findOneByOne(CALLS_PER_LISTING);
      }
      last = end.orElse(last);
    }
  }

  /**
   * Lists the part with the next name.
   *
   * @return the last name of the part; empty if the user may not list the directory
   */
  private Optional<byte[]> list(byte[] last) throws IOException {
    FileTree.Page page;
    try {
      Optional<FileTree.Page> listed = tree.page(directory, start(last), wanted::containsKey);
      if (listed.isEmpty()) {
        failRest(PathFault.NOT_FOUND);
        return Optional.of(last);
      }
      page = listed.get();
    } catch (IOException e) {
      PathFault fault = NameNodeErrors.fault(e);
      if (fault == PathFault.NOT_READABLE) {
        return Optional.empty();
      }
      failRest(fault);
      return Optional.of(last);
    }
    while (next < names.size()
        && (!page.more() || DFSUtilClient.compareBytes(names.get(next), page.last()) <= 0)) {
      String name = name(next);
      report(name, Optional.ofNullable(page.entries().get(name)));
      next++;
    }
    return Optional.of(page.last());
  }

  /** Returns the name just before the next one, or the end of the last part if that is later. */
  private byte[] start(byte[] last) {
    byte[] name = names.get(next);
    byte[] before = Arrays.copyOf(name, name.length - 1);
    return DFSUtilClient.compareBytes(before, last) > 0 ? before : last;
  }

  private void findOneByOne(int max) throws IOException {
    int end = Math.min(names.size(), next + max);
    boolean traversable = false;
    for (; next < end; next++) {
      String name = name(next);
      Optional<FileInfo> file;
      try {
        file = tree.find(directory.equals("/") ? directory + name : directory + "/" + name);
      } catch (IOException e) {
        PathFault fault = NameNodeErrors.fault(e);
        // A directory that the user may not traverse needs no call per file.
        if (fault == PathFault.NOT_READABLE && !traversable) {
          Optional<PathFault> all = faultOfAll();
          if (all.isPresent()) {
            failRest(all.get());
            return;
          }
          traversable = true;
        }
        listener.failed(path(name), fault);
        continue;
      }
      report(name, file);
    }
  }

  /** Returns the fault of all files in the directory; empty if each file must be looked up. */
  private Optional<PathFault> faultOfAll() throws IOException {
    try {
      // NameNodes report a path below a file as they report a path below a directory without
      // permission.
      if (tree.find(directory).filter(FileInfo::directory).isEmpty()) {
        return Optional.of(PathFault.NOT_FOUND);
      }
      return tree.mayTraverse(directory) ? Optional.empty() : Optional.of(PathFault.NOT_READABLE);
    } catch (IOException e) {
      return Optional.of(NameNodeErrors.fault(e));
    }
  }

  private void report(String name, Optional<FileInfo> file) {
    if (file.isEmpty()) {
      listener.failed(path(name), PathFault.NOT_FOUND);
    } else if (file.get().directory()) {
      listener.failed(path(name), PathFault.IS_DIRECTORY);
    } else {
      listener.file(path(name), file.get());
    }
  }

  private void failRest(PathFault fault) {
    for (; next < names.size(); next++) {
      listener.failed(path(name(next)), fault);
    }
  }

  private String name(int index) {
    return new String(names.get(index), StandardCharsets.UTF_8);
  }

  private FilePath path(String name) {
    return Objects.requireNonNull(wanted.get(name));
  }
}
