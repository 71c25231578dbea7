package dev.weir.service.reconcile;

import dev.weir.hints.AutoRange;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Replication;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.index.SetInfo;
import dev.weir.service.auto.AccessCounts;
import dev.weir.service.auto.AutoBudget;
import dev.weir.service.auto.AutoFile;
import dev.weir.service.auto.AutoPaths;
import dev.weir.service.auto.AutoStatus;
import dev.weir.service.auto.MergedCounts;
import dev.weir.service.auto.ReplicaChange;
import dev.weir.service.auto.ReplicaPlan;
import dev.weir.service.auto.ReplicationMark;
import dev.weir.service.reconcile.ReplicaNamespace.Capacity;
import dev.weir.service.reconcile.ReplicaNamespace.StoredFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files under {@code auto} and plans the replicas that they earn. Keeps the marks of a
 * term: what the owners of changed files had set. Not thread-safe.
 */
final class AutoRound {
  private static final Logger LOG = LoggerFactory.getLogger(AutoRound.class);

  /** The most files without accesses that one round changes. */
  private static final int MAX_UNUSED = 100_000;

  private final ReplicaNamespace namespace;
  private final AutoPaths saved;
  private final MergedCounts counts;
  private final AutoBudget budget;
  private final Predicate<String> administrators;

  /** The marks of files that have one, by inode id. */
  private final Map<Long, ReplicationMark> marks = new HashMap<>();

  /** The files whose replication the NameNode refuses to change. */
  private final Set<Long> refused = new HashSet<>();

  /** The paths in which the marks of all files have been read. */
  private final Set<String> markedPaths = new HashSet<>();

  private @Nullable Set<String> paths;

  AutoRound(AutoReplication.Term term, MergedCounts counts, AutoBudget budget) {
    this.namespace = term.namespace();
    this.saved = term.saved();
    this.administrators = term.administrators();
    this.counts = counts;
    this.budget = budget;
  }

  /** Plans the changes. Empty if no hint asks for any and none has to be taken back. */
  Optional<AutoStatus> plan(HintIndex index, Instant now) throws IOException {
    Set<String> ruled = ruledPaths(index);
    Set<String> all = knownPaths(ruled);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    counts.refresh();
    Listing listing = new Listing(index, counts.current(), namespace.capacity(), now);
    for (String path : all) {
      listing.walk(path);
    }
    markedPaths.addAll(all);
    listing.addMoved();
    forget(ruled, listing.unruled, all);
    return Optional.of(listing.plan());
  }

  /** Returns the paths of rules and those in which files may still have marks. */
  private Set<String> knownPaths(Set<String> ruled) throws IOException {
    Set<String> before = paths == null ? saved.loadPaths() : paths;
    Set<String> all = new TreeSet<>(before);
    all.addAll(ruled);
    all = Reconciliation.outermost(all);
    if (!all.equals(before)) {
      saved.savePaths(all);
    }
    paths = all;
    return all;
  }

  /** Forgets the paths without a rule whose files are all as their owners had them. */
  private void forget(Set<String> ruled, Set<String> unruled, Set<String> all) throws IOException {
    Set<String> needed = new TreeSet<>(unruled);
    needed.addAll(ruled);
    needed = Reconciliation.outermost(needed);
    if (!needed.equals(all)) {
      saved.savePaths(needed);
      paths = needed;
      markedPaths.retainAll(needed);
    }
  }

  private static Set<String> ruledPaths(HintIndex index) {
    Set<String> ruled = new TreeSet<>();
    for (SetInfo set : index.sets()) {
      for (Match rule : index.rules(set.id())) {
        if (rule.hint().replication().map(Replication::auto).isPresent()) {
          ruled.add(PathPattern.parse(rule.pattern()).literalPrefix());
        }
      }
    }
    return Reconciliation.outermost(ruled);
  }

  /** Records a change that is about to be made. */
  void mark(ReplicaChange change) throws IOException {
    ReplicationMark mark = new ReplicationMark(change.own(), change.from(), change.to());
    namespace.mark(change.id(), mark.toString());
    marks.put(change.id(), mark);
  }

  /** Removes the mark of a file that is as its owner had it. */
  void unmark(long id) throws IOException {
    namespace.unmark(id);
    marks.remove(id);
  }

  /** Leaves a file alone for the rest of the term. */
  void refuse(long id) {
    refused.add(id);
  }

  /** The fewest and the most replicas of a file. */
  private record Bounds(int min, int max) {}

  private final class Listing {
    private final HintIndex index;
    private final AccessCounts current;
    private final Capacity capacity;
    private final Instant youngest;
    private final boolean established;
    private final Instant now;
    private final List<AutoFile> files = new ArrayList<>();
    private final List<ReplicaChange> changes = new ArrayList<>();
    private final Map<String, AccessCounts.Count> used = new HashMap<>();
    private final Set<Long> seen = new HashSet<>();
    private long held;
    private int ruled;
    private int cold;

    /** The listed paths in which a file without a rule has a mark. */
    private final Set<String> unruled = new TreeSet<>();

    Listing(HintIndex index, AccessCounts current, Capacity capacity, Instant now) {
      this.index = index;
      this.current = current;
      this.capacity = capacity;
      this.now = now;
      this.youngest = now.minus(counts.halfLife());
      this.established = counts.isEstablished();
    }

    void walk(String path) throws IOException {
      boolean readMarks = !markedPaths.contains(path);
      namespace.walkFiles(
          path,
          file -> {
            if (visit(file, readMarks)) {
              unruled.add(path);
            }
          });
    }

    /** Adds marked files that were moved out of all listed directories. */
    void addMoved() throws IOException {
      for (Long id : List.copyOf(marks.keySet())) {
        if (!seen.contains(id)) {
          Optional<StoredFile> file = namespace.find(id);
          if (file.isPresent()) {
            boolean unused = visit(file.get(), false);
          } else {
            marks.remove(id);
          }
        }
      }
    }

    /** Returns whether the file has a mark without a rule. */
    private boolean visit(StoredFile file, boolean readMark) throws IOException {
      if (readMark && !marks.containsKey(file.id())) {
        namespace
            .mark(file.id())
            .flatMap(ReplicationMark::parse)
            .ifPresent(mark -> marks.put(file.id(), mark));
      }
      ReplicationMark mark = marks.get(file.id());
      if (mark != null) {
        seen.add(file.id());
      }
      Optional<Match> match = index.lookup(file.path());
      Optional<AutoRange> range =
          match.flatMap(found -> found.hint().replication()).map(Replication::auto);
      boolean isUnruled = mark != null && range.isEmpty();
      if (refused.contains(file.id()) || isSnapshotted(file.path()) || file.replication() == 0) {
        return isUnruled;
      }
      int own = mark == null ? file.replication() : mark.own(file.replication());
      if (range.isPresent() && file.bytes() > 0) {
        add(file, bounds(file, match.get().set(), range.get(), own), own);
      } else if (mark != null) {
        changes.add(new ReplicaChange(file.path(), file.id(), own, file.replication(), own, 0));
      }
      return isUnruled;
    }

    private boolean isSnapshotted(String path) {
      return capacity.snapshotted().stream()
          .anyMatch(directory -> directory.equals("/") || path.startsWith(directory + "/"));
    }

    private Bounds bounds(StoredFile file, SetInfo set, AutoRange range, int own) {
      // More copies than DataNodes would count as missing until more nodes come.
      int min =
          range.min() == Replication.FILES_OWN
              ? own
              : Math.min(range.min(), Math.max(own, capacity.nodes()));
      // A young file had no time to be read. Users who may write a directory may hint at others'
      // files below it, but not take their copies.
      if (file.modified().isAfter(youngest) || !mayLower(file, set)) {
        min = Math.max(min, own);
      } else if (!established) {
        min = Math.max(min, Math.min(own, file.replication()));
      }
      return new Bounds(min, Math.max(min, Math.min(range.max(), capacity.nodes())));
    }

    private boolean mayLower(StoredFile file, SetInfo set) {
      return set.owner().equals(file.owner()) || administrators.test(set.owner());
    }

    private void add(StoredFile file, Bounds bounds, int own) {
      AccessCounts.Count count = current.of(file.path());
      boolean isUsed = count.reads() + count.writes() > 0;
      boolean isRestored = file.replication() == own && marks.containsKey(file.id());
      ruled++;
      if (isUsed) {
        used.put(file.path(), count);
      } else if (!isRestored && (file.replication() == bounds.min() || cold++ >= MAX_UNUSED)) {
        return; // It stays as it is in this round.
      }
      AutoFile added =
          new AutoFile(
              file.path(),
              file.id(),
              file.bytes(),
              AutoFile.wholeReads(count.reads(), file.bytes(), file.blockSize()),
              count.writes(),
              bounds.min(),
              bounds.max(),
              file.replication(),
              own);
      files.add(added);
      held += file.bytes() * Math.max(0, file.replication() - bounds.min());
    }

    AutoStatus plan() {
      if (cold > MAX_UNUSED) {
        LOG.info(
            "{} files without accesses have other replicas than their minimum; this round plans {}",
            cold,
            MAX_UNUSED);
      }
      long bytes = budget.of(capacity.remaining() + held);
      ReplicaPlan plan = ReplicaPlan.of(files, bytes);
      boolean mayLower = established || held > bytes;
      List<ReplicaChange> planned = new ArrayList<>();
      for (int i = 0; i < files.size(); i++) {
        AutoFile file = files.get(i);
        int to = plan.replicas().get(i);
        int allowed = mayLower ? to : Math.max(to, file.present());
        boolean isMarked = marks.containsKey(file.id());
        if (allowed != file.present() || (isMarked && allowed == file.own())) {
          planned.add(ReplicaChange.of(file, allowed));
        }
      }
      // What takes room comes last, and the most useful of it first.
      planned.sort(
          Comparator.comparing(ReplicaChange::raises)
              .thenComparing(
                  (a, b) -> (a.raises() ? -1 : 1) * Double.compare(a.utility(), b.utility())));
      List<ReplicaChange> all = new ArrayList<>(changes);
      all.addAll(planned);
      return new AutoStatus(
          now,
          counts.known(),
          established,
          counts.halfLife(),
          ruled,
          bytes,
          plan.bytes(),
          plan.price(),
          all,
          used);
    }
  }
}
