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
 * Asks the NameNode for the status and the blocks of many files in few calls: a directory with many
 * of them is listed, as long as most of what comes is wanted; of the others a hundred are asked for
 * at a time. A NameNode that knows no such calls is asked for each file. Any thread may use it.
 */
public final class BulkLookup {

  private static final Logger LOG = LoggerFactory.getLogger(BulkLookup.class);

  /** The NameNode's default limit ({@code dfs.batched.ls.limit}). */
  static final int BATCH = 100;

  /** A page of a listing that has fewer wanted files than one in so many is the last. */
  private static final int WORTH = 4;

  private final DFSClient client;

  /**
   * A look-up.
   *
   * @param client whom to ask; stays the caller's
   */
  public BulkLookup(DFSClient client) {
    this.client = client;
  }

  /**
   * Asks for files.
   *
   * @param paths absolute, without scheme
   * @return those that are there and are files, by path
   * @throws IOException when the NameNode does not answer
   */
  public Map<String, HdfsLocatedFileStatus> find(Collection<String> paths) throws IOException {
    Map<String, HdfsLocatedFileStatus> found = new HashMap<>();
    Set<String> open = new HashSet<>(paths);
    if (open.size() > 1) {
      try {
        list(open, found);
        askInBatches(open, found);
      } catch (RemoteException | AccessControlException | UnresolvedLinkException e) {
        LOG.debug("Asking for each file, for no others are answered for", e);
      }
    }
    for (String path : open) {
      take(path, client.getLocatedFileInfo(path, true), found);
    }
    return found;
  }

  /**
   * Looks for files by what their names begin with. What else is in their directory is not asked
   * for, but for what shares a page with them: NameNodes list by name, from wherever they are told.
   *
   * @param beginning absolute path without scheme, of which the end is missing
   * @return the files, by path
   * @throws IOException when the NameNode does not answer
   */
  public Map<String, HdfsFileStatus> startingWith(String beginning) throws IOException {
    int slash = beginning.lastIndexOf('/');
    String directory = beginning.substring(0, Math.max(1, slash));
    String name = beginning.substring(slash + 1);
    Map<String, HdfsFileStatus> found = new HashMap<>();
    DirectoryListing page = client.listPaths(directory, name.getBytes(UTF_8), false);
    while (page != null) {
      for (HdfsFileStatus entry : page.getPartialListing()) {
        if (!entry.getLocalName().startsWith(name)) {
          return found;
        }
        if (entry.isFile()) {
          found.put(beginning.substring(0, slash + 1) + entry.getLocalName(), entry);
        }
      }
      page = page.hasMore() ? client.listPaths(directory, page.getLastName(), false) : null;
    }
    return found;
  }

  private static boolean take(
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
    boolean worth = true;
    while (worth && left > 0) {
      DirectoryListing page = client.listPaths(directory, after, true);
      if (page == null) {
        return;
      }
      int hits = 0;
      for (HdfsFileStatus entry : page.getPartialListing()) {
        String path = prefix + entry.getLocalName();
        if (open.contains(path) && take(path, entry, found)) {
          open.remove(path);
          hits++;
        }
      }
      left -= hits;
      after = page.getLastName();
      worth = page.hasMore() && hits * WORTH >= page.getPartialListing().length;
    }
  }

  private void askInBatches(Set<String> open, Map<String, HdfsLocatedFileStatus> found)
      throws IOException {
    List<String> paths = List.copyOf(open);
    for (int from = 0; from < paths.size(); from += BATCH) {
      List<String> batch = paths.subList(from, Math.min(paths.size(), from + BATCH));
      String[] question = batch.toArray(String[]::new);
      byte[] after = HdfsFileStatus.EMPTY_NAME;
      boolean more = true;
      while (more) {
        BatchedDirectoryListing answer = client.batchedListPaths(question, after, true);
        for (HdfsPartialListing part : answer.getListings()) {
          take(batch.get(part.getParentIdx()), part, open, found);
        }
        after = answer.getStartAfter();
        more = answer.hasMore();
      }
    }
  }

  /** What is answered neither way, for want of a permission say, stays open. */
  private static void take(
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
      // The entries of a directory bear names; a file that was asked for itself bears none.
      if (entry.isEmptyLocalName() && take(path, entry, found)) {
        open.remove(path);
      }
    }
  }
}
