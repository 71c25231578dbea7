package dev.weir.service.reconcile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The paths that the latest edits were about, for those who remember where files are. What is older
 * than that is forgotten, and so is all when the term of the leader ends: whoever has missed some
 * is told so. Safe for any thread.
 */
final class RecentChanges {
  /** So many edits are remembered. */
  static final int REMEMBERED = 20_000;

  /** So many paths are told at a time. */
  static final int TOLD = 5_000;

  private final Deque<String> paths = new ArrayDeque<>();

  /** Which term it is; null while this instance does not lead. */
  private @Nullable String term;

  /** The number of the first path that is remembered. */
  private long first;

  /**
   * What somebody is told.
   *
   * @param mark to ask with for what comes after this
   * @param missed whether there may have been others since the mark that was asked with
   */
  record Told(String mark, boolean missed, List<String> paths) {
    Told {
      paths = List.copyOf(paths);
    }
  }

  /** This instance begins to follow edits. */
  synchronized void begin() {
    end();
    // Marks of another term, of this instance or another, are to be told from this one's.
    term = UUID.randomUUID().toString();
  }

  /** It does not any more. */
  synchronized void end() {
    term = null;
    first += paths.size();
    paths.clear();
  }

  /** Notes what an edit is about: a file, or a directory with all that is below it. */
  void add(Edit edit) {
    if (edit instanceof Edit.Created created) {
      add(created.path());
    } else if (edit instanceof Edit.Closed closed) {
      add(closed.path());
    } else if (edit instanceof Edit.Renamed renamed) {
      add(renamed.from());
      add(renamed.to());
    } else if (edit instanceof Edit.Removed removed) {
      add(removed.path());
    }
  }

  private synchronized void add(String path) {
    paths.addLast(path);
    if (paths.size() > REMEMBERED) {
      paths.removeFirst();
      first++;
    }
  }

  /**
   * What came after a mark; null while this instance does not lead.
   *
   * @param mark null to be told the present one
   */
  synchronized @Nullable Told after(@Nullable String mark) {
    if (term == null) {
      return null;
    }
    long last = first + paths.size();
    long from = number(mark);
    if (from < first || from > last) {
      return new Told(term + ":" + last, true, List.of());
    }
    List<String> told = paths.stream().skip(from - first).limit(TOLD).toList();
    return new Told(term + ":" + (from + told.size()), false, told);
  }

  private long number(@Nullable String mark) {
    String its = term + ":";
    if (mark == null || !mark.startsWith(its)) {
      return -1;
    }
    try {
      return Long.parseLong(mark.substring(its.length()));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
