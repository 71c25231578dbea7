package dev.weir.service.locate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Looks for some files of one directory, by listing parts of it where several of them may be in a
 * part, one by one where they are few or far apart. How big the directory is cannot be known
 * before; a part that did not pay is followed by single questions that cost about as much, so that
 * the whole costs at most about twice what the better way would have, and no more memory than one
 * part.
 */
final class DirectoryLookup {
  /** So many files at least are to be in a part of the listing, or it does not pay. */
  static final int FEW = 4;

  /** So many single questions cost a NameNode what a part of a listing does. */
  static final int PART_COST = 16;

  private final FileTree tree;
  private final String directory;
  private final Found found;
  private final List<byte[]> names;
  private final Set<String> wanted;
  private int next;

  /**
   * A look-up.
   *
   * @param names what to look for, in any order
   * @param found is told of each once
   */
  DirectoryLookup(FileTree tree, String directory, Collection<String> names, Found found) {
    this.tree = tree;
    this.directory = directory;
    this.found = found;
    this.wanted = new HashSet<>(names);
    this.names =
        wanted.stream()
            .map(name -> name.getBytes(StandardCharsets.UTF_8))
            .sorted(DFSUtilClient::compareBytes)
            .toList();
  }

  /**
   * Looks for all of them.
   *
   * @throws IOException when the file system cannot be asked
   */
  void run() throws IOException {
    boolean lists = tree.isListable();
    byte[] last = FileTree.FIRST;
    while (next < names.size()) {
      if (!lists || names.size() - next < FEW) {
        findOneByOne(names.size() - next);
        return;
      }
      int before = next;
      Optional<byte[]> end = list(last);
      if (end.isEmpty()) {
        lists = false;
      } else if (next - before < FEW) {
        findOneByOne(PART_COST);
      }
      last = end.orElse(last);
    }
  }

  /**
   * Lists the part that the next name is in.
   *
   * @return the last name of the part; empty when the directory may not be listed
   */
  private Optional<byte[]> list(byte[] last) throws IOException {
    FileTree.Page page;
    try {
      Optional<FileTree.Page> listed = tree.page(directory, start(last), wanted::contains);
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
      tell(name, Optional.ofNullable(page.entries().get(name)));
      next++;
    }
    return Optional.of(page.last());
  }

  /** Just before the next name, or where the last part ended if that is later. */
  private byte[] start(byte[] last) {
    byte[] name = names.get(next);
    byte[] before = Arrays.copyOf(name, name.length - 1);
    return DFSUtilClient.compareBytes(before, last) > 0 ? before : last;
  }

  private void findOneByOne(int most) throws IOException {
    int end = Math.min(names.size(), next + most);
    boolean traversable = false;
    for (; next < end; next++) {
      String name = name(next);
      Optional<FileInfo> file;
      try {
        file = tree.find(directory.equals("/") ? directory + name : directory + "/" + name);
      } catch (IOException e) {
        PathFault fault = NameNodeErrors.fault(e);
        // A directory that may not be passed through needs no question for each file in it.
        if (fault == PathFault.NOT_READABLE && !traversable) {
          Optional<PathFault> all = faultOfAll();
          if (all.isPresent()) {
            failRest(all.get());
            return;
          }
          traversable = true;
        }
        found.failed(directory, name, fault);
        continue;
      }
      tell(name, file);
    }
  }

  /** Why nothing in the directory can be told of; empty when each file is to be asked for. */
  private Optional<PathFault> faultOfAll() throws IOException {
    try {
      // NameNodes refuse what is below a file as they refuse what is below a closed directory.
      if (tree.find(directory).filter(FileInfo::directory).isEmpty()) {
        return Optional.of(PathFault.NOT_FOUND);
      }
      return tree.mayTraverse(directory) ? Optional.empty() : Optional.of(PathFault.NOT_READABLE);
    } catch (IOException e) {
      return Optional.of(NameNodeErrors.fault(e));
    }
  }

  private void tell(String name, Optional<FileInfo> file) {
    if (file.isEmpty()) {
      found.failed(directory, name, PathFault.NOT_FOUND);
    } else if (file.get().directory()) {
      found.failed(directory, name, PathFault.IS_DIRECTORY);
    } else {
      found.file(directory, name, file.get());
    }
  }

  private void failRest(PathFault fault) {
    for (; next < names.size(); next++) {
      found.failed(directory, name(next), fault);
    }
  }

  private String name(int index) {
    return new String(names.get(index), StandardCharsets.UTF_8);
  }

  /** Is told what was found; by several threads when there are several look-ups. */
  interface Found {
    /** A file is there. */
    void file(String directory, String name, FileInfo facts);

    /** No file is there, as far as the user may know. */
    void failed(String directory, String name, PathFault fault);
  }
}
