package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.index.HintIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Stores hint sets and keeps an index of them. Thread-safe. Only methods that throw {@link
 * IOException} or {@link InterruptedException} may block, for a bounded time.
 *
 * <p>Each change has a version, a growing positive number. A store that was opened for a role is a
 * <em>watcher</em> of that role: it publishes the version that it has applied.
 */
public interface HintStore extends AutoCloseable {
  /** The role of a NameNode's placement policy, which starts watching with the first new block. */
  String ROLE_NAMENODE = "namenode";

  /**
   * Writes a set, replacing one of the same id.
   *
   * @return the version of this change
   * @throws VersionConflictException if several concurrent changes of the set prevent it
   * @throws StoreUnavailableException if the store cannot be reached in time
   * @throws SetTooBigException if the set exceeds the store's limit
   */
  long put(HintSet set) throws IOException;

  /**
   * Writes a set unless it was changed concurrently.
   *
   * @param expected the version to replace; {@link VersionConflictException#ABSENT} if there must
   *     be none
   * @return the version of this change
   * @throws VersionConflictException if the set is at another version
   * @throws StoreUnavailableException if the store cannot be reached in time
   * @throws SetTooBigException if the set exceeds the store's limit
   */
  long put(HintSet set, long expected) throws IOException;

  /**
   * Removes a set.
   *
   * @return whether it existed
   * @throws StoreUnavailableException if the store cannot be reached in time
   */
  boolean remove(String id) throws IOException;

  /**
   * Removes a set unless it was changed concurrently.
   *
   * @param expected the version to remove
   * @return whether it existed
   * @throws VersionConflictException if it is at another version
   * @throws StoreUnavailableException if the store cannot be reached in time
   */
  boolean remove(String id, long expected) throws IOException;

  /**
   * Reads the current state of a set, expired or not.
   *
   * @throws StoreUnavailableException if the store cannot be reached in time
   * @throws IOException if the stored data is not a hint set
   */
  Optional<StoredSet> find(String id) throws IOException;

  /**
   * The ids of all sets, including expired ones.
   *
   * @throws StoreUnavailableException if the store cannot be reached in time
   */
  Set<String> ids() throws IOException;

  /** The set without its version, as {@link #find} reads it. */
  default Optional<HintSet> get(String id) throws IOException {
    return find(id).map(StoredSet::set);
  }

  /**
   * The latest index known here, without expired sets; empty before the first was loaded. Never
   * blocks or throws.
   */
  HintIndex snapshot();

  /** How current {@link #snapshot} is. Never blocks or throws. */
  StoreStatus status();

  /**
   * The current watchers, by role and host.
   *
   * @throws StoreUnavailableException if the store cannot be reached in time
   */
  List<WatcherInfo> watchers() throws IOException;

  /**
   * Waits until an index was loaded here.
   *
   * @return whether one was loaded in time
   */
  boolean awaitLoaded(Duration timeout) throws InterruptedException;

  /**
   * Waits until a watcher of a role has applied a change.
   *
   * @param version as returned by {@link #put}
   * @param role {@link #ROLE_NAMENODE} or another role
   * @return whether one has, in time
   * @throws StoreUnavailableException if the store cannot be reached
   */
  default boolean awaitApplied(long version, String role, Duration timeout)
      throws IOException, InterruptedException {
    return awaitApplied(version, role, watcher -> true, timeout);
  }

  /**
   * Waits until one of the selected watchers of a role has applied a change.
   *
   * @param version as returned by {@link #put}
   * @param filter selects watchers of the role; called on the caller's thread
   * @return whether one has, in time
   * @throws StoreUnavailableException if the store cannot be reached
   */
  boolean awaitApplied(long version, String role, Predicate<WatcherInfo> filter, Duration timeout)
      throws IOException, InterruptedException;

  /** Releases all resources. Idempotent. */
  @Override
  void close();
}
