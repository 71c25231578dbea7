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
 * hint that a path carries now is authoritative; an edit only says where to look. So an edit may be
 * handled any number of times. Not thread-safe.
 */
final class HintedPaths {
  private static final Logger LOG = LoggerFactory.getLogger(HintedPaths.class);
  private static final int MOST_RACES = 5;
  private static final long STEP_MILLIS = 5;
  private static final int MOST_STEPS = 400;

  private final Namespace namespace;
  private final HintStore store;
  private final Admission admission;
  private final ReconcilerMetrics counters;
  private final InstantSource clock;
  private final LogLimit logLimit = LogLimit.oncePerMinute();

  /** Paths on which a hint was set and which had been renamed before they were read. */
  private final TreeSet<String> missed = new TreeSet<>();

  /**
   * Paths that carry no hint now although they may have sets, or that a hint may have passed
   * through. An edit that is not handled yet may say where the hint went. The sets are dropped only
   * after that, so that a restarted reconciler finds them again.
   */
  private final TreeMap<String, Doubt> doubtful = new TreeMap<>();

  private long written;
  private @Nullable PathRules rules;
  private long rulesVersion = Long.MIN_VALUE;

  /**
   * Why a set may have to be dropped.
   *
   * @param since the time from which no hint was carried
   * @param any whether a set that was not created from the path's hint is dropped too
   */
  private record Doubt(Instant since, boolean any) {}

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

  /** Returns whether all edits so far have been followed to their end. */
  boolean isSettled() {
    return missed.isEmpty() && doubtful.isEmpty();
  }

  /** Returns whether nothing is left to drop that a restarted reconciler could not find again. */
  boolean isSure() {
    return doubtful.isEmpty();
  }

  /**
   * All edits made before a time are handled. Sets of paths that still carry no hint are dropped.
   */
  void caughtUp(Instant then) throws IOException {
    for (Map.Entry<String, Doubt> one : List.copyOf(doubtful.entrySet())) {
      if (one.getValue().since().isBefore(then)) {
        dropIfUncarried(one.getKey(), one.getValue());
        doubtful.remove(one.getKey());
      }
    }
  }

  private void dropIfUncarried(String path, Doubt doubt) throws IOException {
    Optional<StoredSet> stored = store.find(SinglePathSets.idFor(path));
    boolean concerned =
        stored.isPresent()
            && (isMadeHere(stored.get())
                || (doubt.any() && stored.get().modified().isBefore(doubt.since())));
    if (concerned && namespace.find(path).map(PathInfo::hint).isEmpty()) {
      removeAt(stored.get());
    }
  }

  private void doubt(String path, boolean any) {
    Instant now = clock.instant();
    doubtful.merge(path, new Doubt(now, any), (old, same) -> new Doubt(now, any || old.any()));
  }

  /** Discards all expectations of edits, because some are missing. */
  void startAfresh() {
    missed.clear();
    doubtful.clear();
  }

  /** The hint of a path was set or removed. */
  void hinted(Edit.Hinted edit) throws IOException {
    missed.remove(edit.path());
    sync(edit.path(), edit.text() != null);
  }

  /**
   * Another file has the name now. The previous file, with its hint, was removed or renamed before.
   */
  void created(String path) throws IOException {
    missed.remove(path);
    if (index().set(SinglePathSets.idFor(path)).isPresent()) {
      doubt(path, false);
    }
  }

  /**
   * Reads the hint that a path carries, and makes its set match.
   *
   * @param carried whether a hint was moved there: if it has none any more, the hint has moved on
   */
  private void sync(String path, boolean carried) throws IOException {
    Optional<PathInfo> found = namespace.find(path);
    if (carried && found.map(PathInfo::hint).isEmpty()) {
      missed.add(path);
      doubt(path, false);
    } else if (found.isPresent()) {
      sync(found.get());
    }
  }

  /** Makes the set of a path match the hint that the path carries. */
  void sync(PathInfo facts) throws IOException {
    String text = facts.hint();
    if (text == null) {
      doubt(facts.path(), true);
      return;
    }
    Hint hint;
    try {
      hint = HintText.parse(text);
    } catch (InvalidHintException e) {
      counters.hintsUnreadable.incr();
      complain(facts.path(), e.getMessage());
      return;
    }
    Rule rule = PathRules.rule(facts.path(), facts.directory(), hint);
    Optional<StoredSet> stored = store.find(SinglePathSets.idFor(facts.path()));
    if (says(stored, rule)) {
      return;
    }
    Optional<String> refusal = admission.refusal(hint, facts);
    if (refusal.isEmpty() && !isOwned(stored, facts.owner())) {
      refusal = refusalOfOneMore(facts);
    }
    if (refusal.isPresent()) {
      counters.hintsRefused.incr();
      complain(facts.path(), refusal.get());
      return;
    }
    put(facts, rule);
  }

  private static boolean isOwned(Optional<StoredSet> stored, String owner) {
    return stored.filter(one -> one.set().owner().equals(owner)).isPresent();
  }

  private Optional<String> refusalOfOneMore(PathInfo facts) throws IOException {
    HintIndex index = index();
    String owner = facts.owner();
    long present = index.sets().stream().filter(set -> set.owner().equals(owner)).count();
    if (admission.refusalOfOneMore(facts, present).isEmpty()) {
      return Optional.empty();
    }
    // A hint that moves does not count against the limit, because its old set will be dropped. The
    // old set may stay if another hint moves to its path. So a user may have up to twice the limit
    // for a while.
    long leaving = Math.min(leaving(owner, index), admission.sets());
    return admission.refusalOfOneMore(facts, present - leaving);
  }

  private long leaving(String owner, HintIndex index) {
    boolean limited = !admission.administrators().test(owner);
    return doubtful.entrySet().stream()
        .filter(doubt -> limited || doubt.getValue().any())
        .map(doubt -> index.set(SinglePathSets.idFor(doubt.getKey())))
        .flatMap(Optional::stream)
        .filter(set -> set.owner().equals(owner) && set.expires() == null)
        .count();
  }

  private static boolean says(Optional<StoredSet> stored, Rule rule) {
    return stored.isPresent() && stored.get().set().rules().equals(List.of(rule));
  }

  /** Moves the sets of a path and of all paths below it after a rename. */
  void renamed(String from, String to) throws IOException {
    missed.removeIf(path -> isAtOrBelow(path, to));
    // A hint in doubt may have been at its path after this rename, so it stays in doubt there.
    for (String path : List.copyOf(doubtful.subMap(from, true, from + "0", false).keySet())) {
      if (isAtOrBelow(path, from)) {
        lookFor(to + path.substring(from.length()));
      }
    }
    for (String path : List.copyOf(missed.subSet(from, true, from + "0", false))) {
      if (isAtOrBelow(path, from)) {
        missed.remove(path);
        sync(to + path.substring(from.length()), true);
      }
    }
    for (String path : present().atOrBelow(to)) {
      doubt(path, false);
    }
    for (String path : present().atOrBelow(from)) {
      follow(path, to + path.substring(from.length()));
    }
  }

  private static boolean isAtOrBelow(String path, String other) {
    return path.equals(other) || path.startsWith(other + "/");
  }

  private void lookFor(String path) throws IOException {
    Optional<PathInfo> found = namespace.find(path).filter(facts -> facts.hint() != null);
    if (found.isPresent()) {
      sync(found.get());
    } else {
      doubt(path, false);
    }
  }

  /**
   * Drops the sets of a path and of all paths below it, except those written since.
   *
   * @param time when the path was removed
   */
  void removed(String gone, Instant time) throws IOException {
    missed.removeIf(path -> isAtOrBelow(path, gone));
    for (String path : present().atOrBelow(gone)) {
      Optional<StoredSet> stored = store.find(SinglePathSets.idFor(path));
      // A set written over REST, perhaps for a future file, is dropped only by a later removal.
      if (stored.isPresent() && isMadeHere(stored.get())) {
        doubt(path, false);
      } else if (stored.isPresent() && stored.get().modified().isBefore(time)) {
        removeAt(stored.get());
      }
    }
  }

  /** Finds sets that were created from hints of paths and whose paths carry no hint any more. */
  void doubtUncarried() throws IOException {
    for (String path : present().all()) {
      if (namespace.find(path).map(PathInfo::hint).isEmpty()) {
        doubt(path, false);
      }
    }
  }

  /** Only administrators can write sets without expiry for paths that do not exist. */
  private boolean isMadeHere(StoredSet stored) {
    return stored.set().expires() == null && !admission.administrators().test(stored.set().owner());
  }

  private void put(PathInfo facts, Rule rule) throws IOException {
    String id = SinglePathSets.idFor(facts.path());
    for (int race = 1; race <= MOST_RACES; race++) {
      Optional<StoredSet> stored = store.find(id);
      if (says(stored, rule)) {
        return;
      }
      try {
        HintSet set = new HintSet(id, facts.owner(), null, List.of(rule));
        written = store.put(set, version(stored));
        counters.rulesWritten.incr();
        return;
      } catch (VersionConflictException e) {
        LOG.debug("The set of {} was changed meanwhile", facts.path(), e);
      }
    }
    throw new IOException("the set of " + facts.path() + " is changed too often to be written");
  }

  /**
   * Moves a set with its path. The file at the old name may be newer than the rename, and the file
   * at the new name may have moved on.
   */
  private void follow(String path, String to) throws IOException {
    Optional<StoredSet> stored = store.find(SinglePathSets.idFor(path));
    if (stored.isEmpty()) {
      return;
    }
    Optional<PathInfo> here = namespace.find(path);
    if (stored.get().set().expires() == null) {
      if (here.map(PathInfo::hint).isEmpty()) {
        doubt(path, true);
      }
      sync(to, true);
    } else if (here.isEmpty()) {
      // The new set is written first: a crash between the two leaves both, and the next attempt
      // repairs that.
      written = store.put(PathRules.moved(stored.get().set(), to));
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

  /** The paths with sets, including those written here, which the index receives a moment later. */
  private PathRules present() throws IOException {
    HintIndex index = index();
    if (rules == null || rulesVersion != index.version()) {
      rules = PathRules.of(index);
      rulesVersion = index.version();
    }
    return rules;
  }

  private HintIndex index() throws IOException {
    HintIndex index = store.snapshot();
    for (int step = 0; index.version() < written && step < MOST_STEPS; step++) {
      pause();
      index = store.snapshot();
    }
    return index;
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private void complain(String path, @Nullable String why) {
    if (logLimit.permits()) {
      LOG.warn("The hint that {} carries is not followed: {}", path, why);
    }
  }
}
