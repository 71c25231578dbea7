package dev.weir.hints.store;

import dev.weir.hints.HintSet;
import dev.weir.hints.index.HintIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Keeps hint sets and tells of their changes. Every method may be called by any thread. Those that
 * throw an {@link IOException} or an {@link InterruptedException} may wait, within a bound; no
 * other ever does.
 *
 * <p>Each change has a version, a number above 0 that grows. A store that was opened for a role is
 * a <em>watcher</em> of that role: it publishes the version that it, and everyone who watches it,
 * has applied.
 */
public interface HintStore extends AutoCloseable {
  /** The role of a NameNode's placement policy. It begins to watch with the first new block. */
  String ROLE_NAMENODE = "namenode";

  /** The role of a process that writes files through the client file system. */
  String ROLE_CLIENT = "client";

  /**
   * Writes a set; one of the same id is replaced.
   *
   * @return the version of this change
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   * @throws SetTooBigException when the store takes no set so big
   */
  long put(HintSet set) throws IOException;

  /**
   * Writes a set if nobody else has changed it meanwhile.
   *
   * @param expected the version that the set is to replace; {@link VersionConflictException#ABSENT}
   *     when there is to be none
   * @return the version of this change
   * @throws VersionConflictException when the set is at another version
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   * @throws SetTooBigException when the store takes no set so big
   */
  long put(HintSet set, long expected) throws IOException;

  /**
   * Removes a set.
   *
   * @return whether there was one
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   */
  boolean remove(String id) throws IOException;

  /**
   * Removes a set if nobody else has changed it meanwhile.
   *
   * @param expected the version that is to be removed
   * @return whether there was one
   * @throws VersionConflictException when there is one at another version
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   */
  boolean remove(String id, long expected) throws IOException;

  /**
   * Reads a set as it is now, expired or not.
   *
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   * @throws IOException when what is there under the id is no hint set
   */
  Optional<StoredSet> find(String id) throws IOException;

  /**
   * The ids of all sets, also of those that have expired and that no index has any more.
   *
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   */
  Set<String> ids() throws IOException;

  /** The set alone, as {@link #find} reads it. */
  default Optional<HintSet> get(String id) throws IOException {
    return find(id).map(StoredSet::set);
  }

  /**
   * The latest index known here, without expired sets; empty before the first was loaded. Never
   * waits, never throws.
   */
  HintIndex snapshot();

  /** How well {@link #snapshot} is in step with what is written. Never waits, never throws. */
  StoreStatus status();

  /**
   * Who watches now, in the order of role and host.
   *
   * @throws StoreUnavailableException when the store cannot be reached within its bound
   */
  List<WatcherInfo> watchers() throws IOException;

  /**
   * Has a consumer told of the index: of the present one if there is one, then of each that follows
   * it, one after the other, on a thread of the store's. What the consumer throws is logged.
   *
   * @return closes to end it
   */
  Watch watch(Consumer<HintIndex> consumer);

  /**
   * Waits until an index was loaded here.
   *
   * @return whether one was, within the time
   */
  boolean awaitLoaded(Duration timeout) throws InterruptedException;

  /**
   * Waits until a watcher of a role has applied a change.
   *
   * @param version what {@link #put} returned
   * @param role {@link #ROLE_NAMENODE}, {@link #ROLE_CLIENT} or another word
   * @return whether one has, within the time
   * @throws StoreUnavailableException when the store cannot be reached
   */
  default boolean awaitApplied(long version, String role, Duration timeout)
      throws IOException, InterruptedException {
    return awaitApplied(version, role, watcher -> true, timeout);
  }

  /**
   * Waits until one of certain watchers of a role has applied a change.
   *
   * @param version what {@link #put} returned
   * @param who which of the role's watchers count; asked on the caller's thread
   * @return whether one has, within the time
   * @throws StoreUnavailableException when the store cannot be reached
   */
  boolean awaitApplied(long version, String role, Predicate<WatcherInfo> who, Duration timeout)
      throws IOException, InterruptedException;

  /** Ends all watches and lets go of everything. A second call does nothing. */
  @Override
  void close();

  /** A consumer's being told. */
  interface Watch extends AutoCloseable {
    /** Ends it; the consumer may still be told once. A second call does nothing. */
    @Override
    void close();
  }
}
