package dev.weir.service.reconcile;

import dev.weir.hdfs.placement.TargetReplication;
import dev.weir.hints.InvalidHintException;
import dev.weir.hints.PathPattern;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.store.HintStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Brings rules, files and what files carry in step: edit by edit, for the sets that changed, and by
 * looking at everything below hinted paths when edits are missing. Each step may be repeated, so
 * one that was cut off is simply done again. For one thread.
 */
final class Reconciliation {
  private final Namespace namespace;
  private final HintStore store;
  private final HintedPaths hinted;
  private final ReplicationAdjuster replication;
  private final CachedPaths cached;
  private final ExpiredFileCleaner expired;
  private final ReconcilerMetrics counters;
  private final PathFailures refusals;
  private ExpirableFiles created = new ExpirableFiles(List.of());
  private Set<SetInfo> seen = Set.of();
  private HintIndex followed = HintIndex.empty();

  /**
   * How it works.
   *
   * @param cacheFiles how many files the patterns of one set may have cached
   * @param clock tells when it did what
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
    this.refusals = new PathFailures(counters);
    this.hinted = new HintedPaths(namespace, store, admission, counters, setup.clock());
    this.replication = new ReplicationAdjuster(namespace, counters, refusals);
    this.cached = new CachedPaths(namespace, refusals, counters, setup.cacheFiles());
    this.expired = new ExpiredFileCleaner(namespace, counters, refusals);
  }

  /**
   * Goes on where an earlier one has ended.
   *
   * @param files those on record then
   * @param until sets that were last changed before need no looking at again
   */
  void resume(Collection<ExpirableFile> files, Instant until) {
    created = new ExpirableFiles(files);
    counters.filesOnRecord.set(created.size());
    seen =
        store.snapshot().sets().stream()
            .filter(set -> set.modified().isBefore(until))
            .collect(Collectors.toSet());
    followed = HintIndex.empty();
  }

  /** The files on record. */
  Collection<ExpirableFile> onRecord() {
    return created.all();
  }

  /** Whether nothing handled so far waits for an edit to come. */
  boolean isSettled() {
    return hinted.isSettled();
  }

  /** Whether nothing is left to drop that another could not find again. */
  boolean isSure() {
    return hinted.isSure();
  }

  /** All edits are handled that were made before then. */
  void caughtUp(Instant then) throws IOException {
    hinted.caughtUp(then);
  }

  void handle(Edit edit) throws IOException {
    counters.edits.incr();
    try {
      follow(edit);
    } catch (InvalidHintException e) {
      // There are paths that no rule can name; nobody else is to suffer from them.
      refusals.note(e);
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
      replication.settle(file.path(), index);
      cached.came(file.path());
    } else if (edit instanceof Edit.Renamed renamed) {
      created.renamed(renamed, index);
      hinted.renamed(renamed.from(), renamed.to());
      replication.settle(renamed.to(), store.snapshot());
      cached.renamed(renamed.from(), renamed.to());
    } else if (edit instanceof Edit.Removed removed) {
      created.removed(removed.path());
      hinted.removed(removed.path(), removed.time());
      cached.went(removed.path());
    } else if (edit instanceof Edit.Hinted path) {
      hinted.hinted(path);
    }
  }

  /** Sees to what changed sets want of files that are there, and of the NameNode's cache. */
  void followSets() throws IOException {
    HintIndex index = store.snapshot();
    if (index.equals(followed)) {
      if (cached.isToLookAgain()) {
        cached.reconcile(index);
      }
      return;
    }
    cached.reconcile(index);
    Set<SetInfo> present = new HashSet<>(index.sets());
    for (SetInfo set : present) {
      if (!seen.contains(set)) {
        List<Match> rules = index.rules(set.id());
        lookBelow(prefixes(rules.stream().filter(Reconciliation::raises).toList()), index, false);
      }
    }
    seen = present;
    followed = index;
  }

  /** Whether a rule may want more of files that were there before it. */
  private static boolean raises(Match rule) {
    return !rule.hint().isTemporary()
        && TargetReplication.wanted(rule.hint()) != TargetReplication.FILES_OWN;
  }

  /** Sees to expiry; only when every edit made until the last call was handled. */
  void followTime(Instant now) throws IOException {
    created.dropWithdrawn(store.snapshot(), now);
    expired.remove(created, store.snapshot(), now);
    cached.seeToMemory();
    counters.filesOnRecord.set(created.size());
  }

  /**
   * Looks at everything below hinted paths, because edits are missing.
   *
   * @param lastKnown when the last edit that was handled was made: a file on record that was
   *     changed later may be another one by now, also when its id was never seen
   */
  void rescan(Instant lastKnown) throws IOException {
    counters.rescans.incr();
    hinted.startAfresh();
    cached.startAfresh();
    for (ExpirableFile file : created.all()) {
      boolean same =
          namespace
              .find(file.path())
              .filter(facts -> file.is(facts) && !facts.modified().isAfter(lastKnown))
              .isPresent();
      if (!same) {
        created.forget(file);
      }
    }
    // First of all: sets about to go leave room for those of hints that have moved.
    hinted.doubtUncarried();
    HintIndex index = store.snapshot();
    Set<String> prefixes = new TreeSet<>();
    for (SetInfo set : index.sets()) {
      prefixes.addAll(prefixes(index.rules(set.id())));
    }
    lookBelow(outermost(prefixes), index, true);
    cached.reconcile(store.snapshot());
  }

  /** As a whole or not at all: half a look must not be taken for one. */
  private void lookBelow(Collection<String> prefixes, HintIndex index, boolean alsoHints)
      throws IOException {
    try {
      for (String prefix : prefixes) {
        namespace.walk(
            prefix,
            alsoHints,
            facts -> {
              look(facts, index, alsoHints);
              return !Thread.currentThread().isInterrupted();
            });
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("told to stop while looking below " + prefix);
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void look(PathInfo facts, HintIndex index, boolean alsoHints) {
    try {
      replication.raise(facts, index);
      if (alsoHints && facts.hint() != null) {
        hinted.sync(facts);
      }
    } catch (InvalidHintException e) {
      refusals.note(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the files of rules can be. */
  private static Set<String> prefixes(List<Match> rules) {
    Set<String> prefixes = new TreeSet<>();
    for (Match rule : rules) {
      prefixes.add(PathPattern.parse(rule.pattern()).literalPrefix());
    }
    return outermost(prefixes);
  }

  private static Set<String> outermost(Set<String> paths) {
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
