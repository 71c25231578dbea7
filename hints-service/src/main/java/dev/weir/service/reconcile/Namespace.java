package dev.weir.service.reconcile;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the reconciler needs of the NameNode, as its superuser. Each call waits within a bound and
 * throws an {@link IOException} when it is not answered.
 */
interface Namespace {
  /** The name of the extended attribute that carries a hint. */
  String HINT_ATTRIBUTE = "user.weir.hint";

  /** What is at a path; empty when nothing is. */
  Optional<PathInfo> find(String path) throws IOException;

  /** How many replicas a file gets whose writer says nothing. */
  int defaultReplication() throws IOException;

  /**
   * Sets the replication of a file; nothing when there is none.
   *
   * @throws RefusedException when the file may not have so many
   */
  void setReplication(String path, int replication) throws IOException;

  /**
   * Removes a file; nothing when another one or a directory is in its place.
   *
   * @param id the file's
   * @throws RefusedException when it may not be removed
   */
  void delete(String path, long id) throws IOException;

  /**
   * Shows all that is at and below a path, directories before what is in them.
   *
   * @param fileHints whether to tell the hints that files carry too, which costs a question each
   * @param visitor says whether to go on
   */
  void walk(String path, boolean fileHints, Predicate<PathInfo> visitor) throws IOException;

  /** The paths that are cached on behalf of hints. */
  Set<String> cached() throws IOException;

  /**
   * Caches a file, or the files directly in a directory, on behalf of hints.
   *
   * @throws RefusedException when the path cannot be cached
   */
  void cache(String path) throws IOException;

  /** How many bytes all live DataNodes together may keep in memory. */
  long cacheCapacity() throws IOException;

  /** Caches paths no longer. */
  void uncache(List<String> paths) throws IOException;
}
