package dev.weir.workflow.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.BatchedDirectoryListing;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPartialListing;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks the status and blocks of many files up in few calls to the NameNode. It lists a directory
 * that contains many of them, as long as most of the listed files are wanted. It looks the others
 * up a hundred at a time. An old NameNode without these calls is asked for each file. Thread-safe.
 */
public final class BulkLookup {

  private static final Logger LOG = LoggerFactory.getLogger(BulkLookup.class);

  /** The NameNode's default limit ({@code dfs.batched.ls.limit}). */
  static final int BATCH = 100;

  /** The listing stops after a page on which fewer than one in this number of files is wanted. */
  private static final int MIN_HIT_RATIO_INVERSE = 4;

  private final DFSClient client;

  public BulkLookup(DFSClient client) {
    this.client = client;
  }

  /**
   * Looks files up.
   *
   * @param paths absolute, without scheme
   * @return the existing files, by path
   */
  public Map<String, HdfsLocatedFileStatus> find(Collection<String> paths) throws IOException {
    Map<String, HdfsLocatedFileStatus> found = new HashMap<>();
    Set<String> open = new HashSet<>(paths);
    if (open.size() > 1) {
      try {
        list(open, found);
        lookUpInBatches(open, found);
      } catch (RemoteException | AccessControlException | UnresolvedLinkException e) {
        LOG.debug("Bulk lookup failed; looking each file up", e);
      }
    }
    for (String path : open) {
      addIfFile(path, client.getLocatedFileInfo(path, true), found);
    }
    return found;
  }

  /**
   * Finds files by a prefix. Only the pages of the listing that contain the prefix are read:
   * NameNodes list by name from any starting point.
   *
   * @param prefix absolute path without scheme and without its end
   * @return the files, by path
   */
  public Map<String, HdfsFileStatus> findByPrefix(String prefix) throws IOException {
    int slash = prefix.lastIndexOf('/');
    String directory = prefix.substring(0, Math.max(1, slash));
    String name = prefix.substring(slash + 1);
    Map<String, HdfsFileStatus> found = new HashMap<>();
    DirectoryListing page = client.listPaths(directory, name.getBytes(UTF_8), false);
    while (page != null) {
      for (HdfsFileStatus entry : page.getPartialListing()) {
        if (!entry.getLocalName().startsWith(name)) {
          return found;
        }
        if (entry.isFile()) {
          found.put(prefix.substring(0, slash + 1) + entry.getLocalName(), entry);
        }
      }
      page = page.hasMore() ? client.listPaths(directory, page.getLastName(), false) : null;
    }
    return found;
  }

  private static boolean addIfFile(
      String path, @Nullable HdfsFileStatus entry, Map<String, HdfsLocatedFileStatus> found) {
    if (entry instanceof HdfsLocatedFileStatus file && file.isFile()) {
      found.put(path, file);
      return true;
    }
    return false;
  }

  private void list(Set<String> open, Map<String, HdfsLocatedFileStatus> found) throws IOException {
    Map<String, List<String>> directories = new TreeMap<>();
    for (String path : open) {
      String directory = path.substring(0, Math.max(1, path.lastIndexOf('/')));
      directories.computeIfAbsent(directory, d -> new ArrayList<>()).add(path);
    }
    for (Map.Entry<String, List<String>> directory : directories.entrySet()) {
      if (directory.getValue().size() > BATCH) {
        list(directory.getKey(), directory.getValue().size(), open, found);
      }
    }
  }

  private void list(
      String directory, int wanted, Set<String> open, Map<String, HdfsLocatedFileStatus> found)
      throws IOException {
    String prefix = directory.equals("/") ? directory : directory + "/";
    byte[] after = HdfsFileStatus.EMPTY_NAME;
    int left = wanted;
    boolean worthwhile = true;
    while (worthwhile && left > 0) {
      DirectoryListing page = client.listPaths(directory, after, true);
      if (page == null) {
        return;
      }
      int hits = 0;
      for (HdfsFileStatus entry : page.getPartialListing()) {
        String path = prefix + entry.getLocalName();
        if (open.contains(path) && addIfFile(path, entry, found)) {
          open.remove(path);
          hits++;
        }
      }
      left -= hits;
      after = page.getLastName();
      worthwhile =
          page.hasMore() && hits * MIN_HIT_RATIO_INVERSE >= page.getPartialListing().length;
    }
  }

  private void lookUpInBatches(Set<String> open, Map<String, HdfsLocatedFileStatus> found)
      throws IOException {
    List<String> paths = List.copyOf(open);
    for (int from = 0; from < paths.size(); from += BATCH) {
      List<String> batch = paths.subList(from, Math.min(paths.size(), from + BATCH));
      String[] request = batch.toArray(String[]::new);
      byte[] after = HdfsFileStatus.EMPTY_NAME;
      boolean more = true;
      while (more) {
        BatchedDirectoryListing answer = client.batchedListPaths(request, after, true);
        for (HdfsPartialListing part : answer.getListings()) {
          addIfFile(batch.get(part.getParentIdx()), part, open, found);
        }
        after = answer.getStartAfter();
        more = answer.hasMore();
      }
    }
  }

  /** Files that were not answered for, for example for lack of permission, stay open. */
  private static void addIfFile(
      String path,
      HdfsPartialListing part,
      Set<String> open,
      Map<String, HdfsLocatedFileStatus> found) {
    RemoteException problem = part.getException();
    if (problem != null) {
      if (problem.getClassName().equals(FileNotFoundException.class.getName())) {
        open.remove(path);
      }
      return;
    }
    for (HdfsFileStatus entry : part.getPartialListing()) {
      // Entries of a directory have names; a file that was itself asked for has none.
      if (entry.isEmptyLocalName() && addIfFile(path, entry, found)) {
        open.remove(path);
      }
    }
  }
}
