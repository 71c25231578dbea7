package dev.weir.workflow.htmlreport;

import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The chain of attempts that determined the end of a run: the last one to end, before it the one
 * that it waited for (the last to make an input of it, or the one before it on its worker), and so
 * on.
 */
final class CriticalPath {

  private static final NavigableMap<Instant, TaskRecord> NONE =
      Collections.unmodifiableNavigableMap(new TreeMap<>());

  private final FileUses files;
  private final Map<String, List<TaskRecord>> failures = new HashMap<>();

  /** The attempts of each worker by their ends. */
  private final Map<String, NavigableMap<Instant, TaskRecord>> byWorker = new HashMap<>();

  private CriticalPath(RunRecord run, FileUses files) {
    this.files = files;
    for (TaskRecord attempt : run.tasks()) {
      byWorker
          .computeIfAbsent(attempt.worker(), id -> new TreeMap<>())
          .put(attempt.ended(), attempt);
      if (attempt.outcome() != Outcome.SUCCEEDED) {
        failures.computeIfAbsent(attempt.task(), id -> new ArrayList<>()).add(attempt);
      }
    }
  }

  /** Returns the attempts from the first to the last; empty if there are none. */
  static List<TaskRecord> of(RunRecord run, FileUses files) {
    CriticalPath path = new CriticalPath(run, files);
    TaskRecord last = null;
    for (TaskRecord attempt : run.tasks()) {
      last = later(last, attempt);
    }
    List<TaskRecord> attempts = new ArrayList<>();
    while (last != null) {
      attempts.add(last);
      last = path.before(last);
    }
    Collections.reverse(attempts);
    return attempts;
  }

  /** Returns the attempt that this one waited for longest; null if there was none. */
  private @Nullable TaskRecord before(TaskRecord attempt) {
    TaskRecord latest = null;
    for (FileRecord input : attempt.files().inputs()) {
      latest = later(latest, earlier(files.producer(input.file()), attempt.dispatched()));
    }
    for (TaskRecord failed : failures.getOrDefault(attempt.task(), List.of())) {
      latest = later(latest, earlier(failed, attempt.dispatched()));
    }
    Map.Entry<Instant, TaskRecord> onWorker =
        byWorker.getOrDefault(attempt.worker(), NONE).floorEntry(attempt.dispatched());
    return later(
        latest, onWorker == null ? null : earlier(onWorker.getValue(), attempt.dispatched()));
  }

  /** Returns the attempt if it started before a time: times of two nodes may overlap a little. */
  private static @Nullable TaskRecord earlier(@Nullable TaskRecord attempt, Instant time) {
    return attempt != null && attempt.dispatched().isBefore(time) ? attempt : null;
  }

  private static @Nullable TaskRecord later(@Nullable TaskRecord one, @Nullable TaskRecord other) {
    return one == null || (other != null && other.ended().isAfter(one.ended())) ? other : one;
  }
}
