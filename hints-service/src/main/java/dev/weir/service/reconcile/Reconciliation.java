package dev.weir.service.reconcile;

import dev.weir.hdfs.placement.TargetReplication;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.store.HintStore;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Keeps rules, files and the hints that files carry consistent. It handles edits one by one,
 * follows changed sets, and lists all paths below hinted paths if edits are missing. Each step is
 * idempotent, so a step that was interrupted is repeated. Not thread-safe.
 */
final class Reconciliation {
  private final Namespace namespace;
  private final HintStore store;
  private final HintedPaths hinted;
  private final ReplicationAdjuster replication;
  private final CachedPaths cached;
  private final ExpiredFileCleaner expired;
  private final ReconcilerMetrics counters;
  private final PathFailures failures;
  private ExpirableFiles created = new ExpirableFiles(List.of());
  private Set<SetInfo> followedSets = Set.of();
  private HintIndex followed = HintIndex.empty();

  /**
   * The parameters.
   *
   * @param cacheFiles the most files that the patterns of one set may have cached
   * @param clock the clock for the times of actions
   */
  record Setup(int cacheFiles, InstantSource clock) {}

  Reconciliation(
      Namespace namespace,
      HintStore store,
      Admission admission,
      ReconcilerMetrics counters,
      Setup setup) {
    this.namespace = namespace;
    this.store = store;
    this.counters = counters;
    this.failures = new PathFailures(counters);
    this.hinted = new HintedPaths(namespace, store, admission, counters, setup.clock());
    this.replication = new ReplicationAdjuster(namespace, counters, failures);
    this.cached = new CachedPaths(namespace, failures, counters, setup.cacheFiles());
    this.expired = new ExpiredFileCleaner(namespace, counters, failures);
  }

  /**
   * Resumes from a saved state.
   *
   * @param files the recorded files
   * @param until sets last changed before this time need not be checked again
   */
  void resume(Collection<ExpirableFile> files, Instant until) {
    created = new ExpirableFiles(files);
    counters.filesOnRecord.set(created.size());
    followedSets =
        store.snapshot().sets().stream()
            .filter(set -> set.modified().isBefore(until))
            .collect(Collectors.toSet());
    followed = HintIndex.empty();
  }

  Collection<ExpirableFile> expirableFiles() {
    return created.all();
  }

  /** Returns whether no handled edit waits for a later one. */
  boolean isSettled() {
    return hinted.isSettled();
  }

  /** Returns whether nothing is left to drop that a restarted reconciler could not find again. */
  boolean hasNoPendingDrops() {
    return hinted.hasNoPendingDrops();
  }

  /**
   * Drops the sets of paths without a hint, when all edits made before a time have been handled.
   */
  void dropPendingBefore(Instant then) throws IOException {
    hinted.dropPendingBefore(then);
  }

  void handle(Edit edit) throws IOException {
    counters.edits.incr();
    try {
      follow(edit);
    } catch (InvalidHintException e) {
      // No rule can name some paths. Other paths must still be handled.
      failures.refused(e);
    }
    counters.filesOnRecord.set(created.size());
  }

  private void follow(Edit edit) throws IOException {
    HintIndex index = store.snapshot();
    if (edit instanceof Edit.Created file) {
      created.created(file, index);
      hinted.created(file.path());
      replication.created(file);
    } else if (edit instanceof Edit.Closed file) {
      replication.adjust(file.path(), index);
      cached.added(file.path());
    } else if (edit instanceof Edit.Renamed renamed) {
      created.renamed(renamed, index);
      hinted.renamed(renamed.from(), renamed.to());
      replication.adjust(renamed.to(), store.snapshot());
      cached.renamed(renamed.from(), renamed.to());
    } else if (edit instanceof Edit.Removed removed) {
      created.removed(removed.path());
      hinted.removed(removed.path(), removed.time());
      cached.removed(removed.path());
    } else if (edit instanceof Edit.Hinted path) {
      hinted.hinted(path);
    }
  }

  /** Applies changed sets to existing files and to the NameNode's cache. */
  void followSets() throws IOException {
    HintIndex index = store.snapshot();
    if (index.equals(followed)) {
      if (cached.mustRelist()) {
        cached.reconcile(index);
      }
      return;
    }
    cached.reconcile(index);
    Set<SetInfo> present = new HashSet<>(index.sets());
    for (SetInfo set : present) {
      if (!followedSets.contains(set)) {
        List<Match> rules = index.rules(set.id());
        walk(prefixes(rules.stream().filter(Reconciliation::raises).toList()), index, false);
      }
    }
    followedSets = present;
    followed = index;
  }

  /** Returns whether a rule may ask for more replicas of files that existed before it. */
  private static boolean raises(Match rule) {
    return !rule.hint().isTemporary()
        && TargetReplication.wanted(rule.hint()) != TargetReplication.FILES_OWN;
  }

  /** Removes expired files. Call it only after every edit made until its last call was handled. */
  void followTime(Instant now) throws IOException {
    created.dropWithdrawn(store.snapshot(), now);
    expired.remove(created, store.snapshot(), now);
    cached.checkCapacity();
    counters.filesOnRecord.set(created.size());
  }

  /**
   * Lists all paths below hinted paths, because edits are missing.
   *
   * @param lastKnown the time of the last edit that was handled. A recorded file that was changed
   *     later may have been replaced, also if its id was never observed.
   */
  void rescan(Instant lastKnown) throws IOException {
    counters.rescans.incr();
    hinted.reset();
    cached.reset();
    for (ExpirableFile file : created.all()) {
      boolean same =
          namespace
              .find(file.path())
              .filter(info -> file.is(info) && !info.modified().isAfter(lastKnown))
              .isPresent();
      if (!same) {
        created.forget(file);
      }
    }
    // Done first: sets about to be dropped make room for those of hints that have moved.
    hinted.scheduleDropsOfUncarried();
    HintIndex index = store.snapshot();
    Set<String> prefixes = new TreeSet<>();
    for (SetInfo set : index.sets()) {
      prefixes.addAll(prefixes(index.rules(set.id())));
    }
    walk(outermost(prefixes), index, true);
    cached.reconcile(store.snapshot());
  }

  /** Completes or fails as a whole: a partial listing must not count as a complete one. */
  private void walk(Collection<String> prefixes, HintIndex index, boolean syncHints)
      throws IOException {
    for (String prefix : prefixes) {
      namespace.walk(
          prefix,
          syncHints,
          info -> {
            visit(info, index, syncHints);
            return true;
          });
    }
  }

  private void visit(PathInfo info, HintIndex index, boolean syncHints) throws IOException {
    try {
      replication.raise(info, index);
      if (syncHints && info.hint() != null) {
        hinted.sync(info);
      }
    } catch (InvalidHintException e) {
      failures.refused(e);
    }
  }

  private static Set<String> prefixes(List<Match> rules) {
    Set<String> prefixes = new TreeSet<>();
    for (Match rule : rules) {
      prefixes.add(PathPattern.parse(rule.pattern()).literalPrefix());
    }
    return outermost(prefixes);
  }

  static Set<String> outermost(Set<String> paths) {
    Set<String> outermost = new TreeSet<>();
    for (String path : paths) {
      if (!isBelowAny(path, outermost)) {
        outermost.add(path);
      }
    }
    return outermost;
  }

  private static boolean isBelowAny(String path, Set<String> others) {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      if (others.contains(path.substring(0, slash))) {
        return true;
      }
    }
    return others.contains("/");
  }
}
