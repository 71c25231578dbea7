package dev.weir.service.reconcile;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the latest edits, for clients that cache locations. Older edits are discarded, and
 * all are when the leader's term ends. The answer says whether a client may have missed edits.
 * Thread-safe.
 */
final class RecentChanges {
  /** The number of edits that are kept. */
  static final int MAX_KEPT = 20_000;

  /** The most paths in one answer. */
  static final int MAX_PATHS = 5_000;

  private final Deque<String> paths = new ArrayDeque<>();

  /** The id of the term; null while this instance does not lead. */
  private @Nullable String term;

  /** The number of the first path that is kept. */
  private long first;

  /**
   * An answer.
   *
   * @param mark the position after these paths, for the next request
   * @param missed whether edits since the requested mark may be missing
   */
  record Page(String mark, boolean missed, List<String> paths) {
    Page {
      paths = List.copyOf(paths);
    }
  }

  /** Starts a term. */
  synchronized void begin() {
    end();
    // A mark of another term, of this instance or another, must not be valid in this one.
    term = UUID.randomUUID().toString();
  }

  /** Ends the term. */
  synchronized void end() {
    term = null;
    first += paths.size();
    paths.clear();
  }

  /** Records the path of an edit: a file, or a directory with all that is below it. */
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
    if (paths.size() > MAX_KEPT) {
      paths.removeFirst();
      first++;
    }
  }

  /**
   * Returns the paths after a mark; null while this instance does not lead.
   *
   * @param mark null to get the current mark
   */
  synchronized @Nullable Page after(@Nullable String mark) {
    if (term == null) {
      return null;
    }
    long last = first + paths.size();
    long from = number(mark);
    if (from < first || from > last) {
      return new Page(term + ":" + last, true, List.of());
    }
    List<String> page = paths.stream().skip(from - first).limit(MAX_PATHS).toList();
    return new Page(term + ":" + (from + page.size()), false, page);
  }

  private long number(@Nullable String mark) {
    String prefix = term + ":";
    if (mark == null || !mark.startsWith(prefix)) {
      return -1;
    }
    try {
      return Long.parseLong(mark.substring(prefix.length()));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
