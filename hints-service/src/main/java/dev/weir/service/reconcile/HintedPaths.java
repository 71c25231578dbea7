package dev.weir.service.reconcile;

import dev.weir.hints.Hint;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.LogLimit;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.hints.store.VersionConflictException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the sets of single paths consistent with the hints that paths carry, across renames. The
 * hint that a path carries now is authoritative; an edit only names a path to check. So an edit may
 * be handled any number of times. Not thread-safe.
 */
final class HintedPaths {
  private static final Logger LOG = LoggerFactory.getLogger(HintedPaths.class);
  private static final int MAX_ATTEMPTS = 5;
  private static final long POLL_MILLIS = 5;
  private static final int MAX_POLLS = 400;

  private final Namespace namespace;
  private final HintStore store;
  private final Admission admission;
  private final ReconcilerMetrics counters;
  private final InstantSource clock;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  /** The paths on which a hint was set and which were renamed before they were read. */
  private final TreeSet<String> movedBeforeRead = new TreeSet<>();

  /**
   * The paths whose sets may have to be dropped, because the paths carry no hint now. A later edit
   * may move the hint elsewhere, so the sets are dropped only after that edit. Until then a
   * restarted reconciler finds them again.
   */
  private final TreeMap<String, PendingDrop> pendingDrops = new TreeMap<>();

  private long lastWritten;
  private @Nullable PathRules rules;
  private long rulesVersion = Long.MIN_VALUE;

  /**
   * Why a set may have to be dropped.
   *
   * @param since the time from which no hint was carried
   * @param anySet whether a set that was not created from the path's hint is dropped too
   */
  private record PendingDrop(Instant since, boolean anySet) {}

  HintedPaths(
      Namespace namespace,
      HintStore store,
      Admission admission,
      ReconcilerMetrics counters,
      InstantSource clock) {
    this.clock = clock;
    this.namespace = namespace;
    this.store = store;
    this.admission = admission;
    this.counters = counters;
  }

  /** Returns whether no handled edit waits for a later one. */
  boolean isSettled() {
    return movedBeforeRead.isEmpty() && pendingDrops.isEmpty();
  }

  /** Returns whether nothing is left to drop that a restarted reconciler could not find again. */
  boolean hasNoPendingDrops() {
    return pendingDrops.isEmpty();
  }

  /**
   * Drops pending sets of paths that still carry no hint. All edits made before the given time must
   * have been handled.
   */
  void dropPendingBefore(Instant then) throws IOException {
    for (Map.Entry<String, PendingDrop> entry : List.copyOf(pendingDrops.entrySet())) {
      if (entry.getValue().since().isBefore(then)) {
        dropIfUncarried(entry.getKey(), entry.getValue());
        pendingDrops.remove(entry.getKey());
      }
    }
  }

  private void dropIfUncarried(String path, PendingDrop pending) throws IOException {
    Optional<StoredSet> stored = store.find(SinglePathSets.idFor(path));
    boolean drop =
        stored.isPresent()
            && (isFromPathHint(stored.get())
                || (pending.anySet() && stored.get().modified().isBefore(pending.since())));
    if (drop && namespace.find(path).map(PathInfo::hint).isEmpty()) {
      removeAt(stored.get());
    }
  }

  private void scheduleDrop(String path, boolean anySet) {
    Instant now = clock.instant();
    pendingDrops.merge(
        path,
        new PendingDrop(now, anySet),
        (old, same) -> new PendingDrop(now, anySet || old.anySet()));
  }

  /** Discards all state that waits for edits, because some are missing. */
  void reset() {
    movedBeforeRead.clear();
    pendingDrops.clear();
  }

  /** Handles a hint of a path that was set or removed. */
  void hinted(Edit.Hinted edit) throws IOException {
    movedBeforeRead.remove(edit.path());
    sync(edit.path(), edit.text() != null);
  }

  /**
   * Handles a new file. The previous file of the name, with its hint, was removed or renamed
   * before.
   */
  void created(String path) throws IOException {
    movedBeforeRead.remove(path);
    if (index().set(SinglePathSets.idFor(path)).isPresent()) {
      scheduleDrop(path, false);
    }
  }

  /**
   * Reads the hint that a path carries, and makes its set match.
   *
   * @param carried whether a hint was there: if there is none now, the hint was moved further
   */
  private void sync(String path, boolean carried) throws IOException {
    Optional<PathInfo> found = namespace.find(path);
    if (carried && found.map(PathInfo::hint).isEmpty()) {
      movedBeforeRead.add(path);
      scheduleDrop(path, false);
    } else if (found.isPresent()) {
      sync(found.get());
    }
  }

  /** Makes the set of a path match the hint that the path carries. */
  void sync(PathInfo info) throws IOException {
    String text = info.hint();
    if (text == null) {
      counters.ignored.remove(info.path());
      scheduleDrop(info.path(), true);
      return;
    }
    Hint hint;
    try {
      hint = HintText.parse(text);
    } catch (InvalidHintException e) {
      counters.hintsUnreadable.incr();
      ignore(info.path(), String.valueOf(e.getMessage()));
      return;
    }
    Rule rule = PathRules.rule(info.path(), info.directory(), hint);
    Optional<StoredSet> stored = store.find(SinglePathSets.idFor(info.path()));
    if (hasRule(stored, rule)) {
      return;
    }
    Optional<String> refusal = admission.refusal(hint, info);
    if (refusal.isEmpty() && !isOwned(stored, info.owner())) {
      refusal = refusalOfNewSet(info);
    }
    if (refusal.isPresent()) {
      counters.hintsRefused.incr();
      ignore(info.path(), refusal.get());
      return;
    }
    counters.ignored.remove(info.path());
    put(info, rule);
  }

  private static boolean isOwned(Optional<StoredSet> stored, String owner) {
    return stored.filter(entry -> entry.set().owner().equals(owner)).isPresent();
  }

  private Optional<String> refusalOfNewSet(PathInfo info) throws IOException {
    HintIndex index = index();
    String owner = info.owner();
    long count = index.sets().stream().filter(set -> set.owner().equals(owner)).count();
    if (admission.refusalOfNewSet(info, count).isEmpty()) {
      return Optional.empty();
    }
    // A hint that moves does not count against the limit, because its old set will be dropped. The
    // old set may stay if another hint moves to its path. So a user may have up to twice the limit
    // for a while.
    long pendingSets = Math.min(pendingSets(owner, index), admission.sets());
    return admission.refusalOfNewSet(info, count - pendingSets);
  }

  private long pendingSets(String owner, HintIndex index) {
    boolean limited = !admission.administrators().test(owner);
    return pendingDrops.entrySet().stream()
        .filter(pending -> limited || pending.getValue().anySet())
        .map(pending -> index.set(SinglePathSets.idFor(pending.getKey())))
        .flatMap(Optional::stream)
        .filter(set -> set.owner().equals(owner) && set.expires() == null)
        .count();
  }

  private static boolean hasRule(Optional<StoredSet> stored, Rule rule) {
    return stored.isPresent() && stored.get().set().rules().equals(List.of(rule));
  }

  /** Moves the sets of a path and of all paths below it after a rename. */
  void renamed(String from, String to) throws IOException {
    movedBeforeRead.removeIf(path -> isAtOrBelow(path, to));
    // A hint that was moved from a pending path may have been moved by this rename.
    for (String path : List.copyOf(pendingDrops.subMap(from, true, from + "0", false).keySet())) {
      if (isAtOrBelow(path, from)) {
        syncOrScheduleDrop(to + path.substring(from.length()));
      }
    }
    for (String path : List.copyOf(movedBeforeRead.subSet(from, true, from + "0", false))) {
      if (isAtOrBelow(path, from)) {
        movedBeforeRead.remove(path);
        sync(to + path.substring(from.length()), true);
      }
    }
    for (String path : pathRules().atOrBelow(to)) {
      scheduleDrop(path, false);
    }
    for (String path : pathRules().atOrBelow(from)) {
      moveSet(path, to + path.substring(from.length()));
    }
  }

  private static boolean isAtOrBelow(String path, String other) {
    return path.equals(other) || path.startsWith(other + "/");
  }

  private void syncOrScheduleDrop(String path) throws IOException {
    Optional<PathInfo> found = namespace.find(path).filter(info -> info.hint() != null);
    if (found.isPresent()) {
      sync(found.get());
    } else {
      scheduleDrop(path, false);
    }
  }

  /** Drops the sets of a path and of all paths below it, except those written since. */
  void removed(String removedPath, Instant time) throws IOException {
    movedBeforeRead.removeIf(path -> isAtOrBelow(path, removedPath));
    for (String path : pathRules().atOrBelow(removedPath)) {
      Optional<StoredSet> stored = store.find(SinglePathSets.idFor(path));
      // A set written over REST, perhaps for a future file, is dropped only by a later removal.
      if (stored.isPresent() && isFromPathHint(stored.get())) {
        scheduleDrop(path, false);
      } else if (stored.isPresent() && stored.get().modified().isBefore(time)) {
        removeAt(stored.get());
      }
    }
  }

  /** Schedules the drop of sets whose paths no longer carry a hint. */
  void scheduleDropsOfUncarried() throws IOException {
    for (String path : pathRules().all()) {
      if (namespace.find(path).map(PathInfo::hint).isEmpty()) {
        scheduleDrop(path, false);
      }
    }
  }

  /**
   * Returns whether the set was created from the path's hint. Only administrators can write other
   * sets without expiry.
   */
  private boolean isFromPathHint(StoredSet stored) {
    return stored.set().expires() == null && !admission.administrators().test(stored.set().owner());
  }

  private void put(PathInfo info, Rule rule) throws IOException {
    String id = SinglePathSets.idFor(info.path());
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      Optional<StoredSet> stored = store.find(id);
      if (hasRule(stored, rule)) {
        return;
      }
      try {
        HintSet set = new HintSet(id, info.owner(), null, List.of(rule));
        lastWritten = store.put(set, version(stored));
        counters.rulesWritten.incr();
        return;
      } catch (VersionConflictException e) {
        LOG.debug("The set of {} was changed meanwhile", info.path(), e);
      }
    }
    throw new IOException("the set of " + info.path() + " is changed too often to be written");
  }

  /**
   * Moves a set with its path. The file at the old name may be newer than the rename, and the file
   * at the new name may have been moved again.
   */
  private void moveSet(String path, String to) throws IOException {
    Optional<StoredSet> stored = store.find(SinglePathSets.idFor(path));
    if (stored.isEmpty()) {
      return;
    }
    Optional<PathInfo> here = namespace.find(path);
    if (stored.get().set().expires() == null) {
      if (here.map(PathInfo::hint).isEmpty()) {
        scheduleDrop(path, true);
      }
      sync(to, true);
    } else if (here.isEmpty()) {
      // The new set is written first: a crash between the two leaves both, and the next attempt
      // repairs that.
      lastWritten = store.put(PathRules.moved(stored.get().set(), to));
      removeAt(stored.get());
    }
    counters.rulesMoved.incr();
  }

  private void removeAt(StoredSet stored) throws IOException {
    String id = stored.set().id();
    try {
      store.remove(id, stored.version());
      counters.rulesDropped.incr();
    } catch (VersionConflictException e) {
      LOG.debug("Set {} was written again and stays", id, e);
    }
  }

  private static long version(Optional<StoredSet> stored) {
    return stored.map(StoredSet::version).orElse(VersionConflictException.ABSENT);
  }

  /**
   * Returns the paths with sets. Waits for sets written here, which the index receives a moment
   * later.
   */
  private PathRules pathRules() throws IOException {
    HintIndex index = index();
    if (rules == null || rulesVersion != index.version()) {
      rules = PathRules.of(index);
      rulesVersion = index.version();
    }
    return rules;
  }

  private HintIndex index() throws IOException {
    HintIndex index = store.snapshot();
    for (int step = 0; index.version() < lastWritten && step < MAX_POLLS; step++) {
      pause();
      index = store.snapshot();
    }
    return index;
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private void ignore(String path, String why) {
    counters.ignored.add(path, why);
    if (logLimit.permits()) {
      LOG.warn("The hint that {} carries is not followed: {}", path, why);
    }
  }
}
