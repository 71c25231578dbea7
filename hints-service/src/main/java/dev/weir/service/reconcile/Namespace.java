package dev.weir.service.reconcile;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/**
 * The operations of the NameNode that the reconciler needs, as its superuser. Each call is bounded
 * in time and throws an {@link IOException} if it is not answered.
 */
interface Namespace {
  /** The name of the extended attribute that carries a hint. */
  String HINT_ATTRIBUTE = "user.weir.hint";

  /** Returns the metadata of a path; empty if it does not exist. */
  Optional<PathInfo> find(String path) throws IOException;

  /** Returns the replication of a file whose writer does not set it. */
  int defaultReplication() throws IOException;

  /**
   * Sets the replication of a file. Has no effect if the file does not exist.
   *
   * @throws RefusedException if the file may not have that replication
   */
  void setReplication(String path, int replication) throws IOException;

  /**
   * Removes a file. Has no effect if the path now belongs to another file or a directory.
   *
   * @param id the inode id of the file
   * @throws RefusedException if the file may not be removed
   */
  void delete(String path, long id) throws IOException;

  /**
   * Visits all paths at and below a path, directories before their children.
   *
   * @param hints whether to read the hints of the paths below too, which costs one call each
   * @param visitor returns whether to continue
   * @throws InterruptedIOException if the thread is interrupted, which it stays
   */
  void walk(String path, boolean hints, FunctionRaisingIOE<PathInfo, Boolean> visitor)
      throws IOException;

  /** Returns the paths that are cached on behalf of hints. */
  Set<String> cached() throws IOException;

  /**
   * Caches a file, or the files directly in a directory, on behalf of hints.
   *
   * @throws RefusedException if the path cannot be cached
   */
  void cache(String path) throws IOException;

  /** Returns the total cache capacity of the live DataNodes in bytes. */
  long cacheCapacity() throws IOException;

  void uncache(List<String> paths) throws IOException;
}
