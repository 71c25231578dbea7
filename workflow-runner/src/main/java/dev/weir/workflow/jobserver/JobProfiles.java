package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.run.RunRecorder;
import dev.weir.workflow.run.TaskProfileStore;
import dev.weir.workflow.scheduler.DispatchRecord.AttemptEnded;
import dev.weir.workflow.scheduler.TaskProfiles;
import dev.weir.workflow.scheduler.TaskProfiles.Profile;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the jobs of a pool teach about kinds of jobs while it goes on, beside what was known before
 * it. Of each kind the last jobs count, of as many kinds as there is room for: a pool may go on for
 * ever. Thread-safe.
 */
public final class JobProfiles {

  /** So many jobs of a kind count. */
  private static final int KEPT = 64;

  /** So many kinds are kept, those that were seen last. */
  private static final int MOST_KINDS = 256;

  /** All is looked through again when this part of it is new, which bounds what that costs. */
  private static final int NEW_PART = 8;

  /** Jobs of which nobody says what kind they are teach what company others had, and no more. */
  private static final String NO_KIND = "";

  private final TaskProfiles before;
  private final int workerCores;
  private final Map<String, Deque<TaskRecord>> last = new LinkedHashMap<>(16, 0.75f, true);
  private TaskProfiles now;
  private int fresh;

  /**
   * Before the first job.
   *
   * @param before what is known
   * @param workerCores how many cores each worker has
   */
  public JobProfiles(TaskProfiles before, int workerCores) {
    this.before = before;
    this.workerCores = workerCores;
    this.now = before;
  }

  /** What is known of a job's kind; empty when that is nothing, or nobody says what kind it is. */
  public synchronized Optional<Profile> of(Task job) {
    Optional<String> kind = Job.kind(job);
    if (kind.isPresent() && fresh * NEW_PART > kept()) {
      now = TaskProfileStore.after(before, attempts(), workerCores);
      fresh = 0;
    }
    return kind.flatMap(now::of);
  }

  private int kept() {
    return last.values().stream().mapToInt(Deque::size).sum();
  }

  /** An attempt at a job has ended. */
  synchronized void ended(Task job, AttemptEnded ended) {
    if (ended.report().result() != TaskReport.Result.SUCCEEDED) {
      return;
    }
    String kind = Job.kind(job).orElse(NO_KIND);
    Deque<TaskRecord> same = last.computeIfAbsent(kind, k -> new ArrayDeque<>());
    same.add(record(kind, ended));
    if (same.size() > KEPT) {
      same.remove();
    }
    if (last.size() > MOST_KINDS) {
      last.remove(last.keySet().iterator().next());
    }
    fresh++;
  }

  /** The attempts that count, those without a kind of the type "". */
  public synchronized List<TaskRecord> attempts() {
    return last.values().stream().flatMap(Deque::stream).toList();
  }

  private static TaskRecord record(String kind, AttemptEnded ended) {
    TaskReport report = ended.report();
    return RunRecorder.took(TaskRecord.builder(report.task(), kind, report.attempt()), ended)
        .worker(ended.worker().id(), ended.worker().node())
        .outcome(Outcome.SUCCEEDED, report.exitCode())
        .build();
  }
}
